import DarkroomCore
import Foundation

/// The cosine basis for an image of a given size, horizontally and vertically.
struct Waves {
    private let size: PixelSize
    private let columns, rows: Int
    /// The value of each cosine at each pixel.
    private let across, down: [Float]

    init(_ size: PixelSize, columns: Int, rows: Int) {
        (self.size, self.columns, self.rows) = (size, columns, rows)
        across = Self.cosines(side: size.width, count: columns)
        down = Self.cosines(side: size.height, count: rows)
    }

    /// The memory that the waves of an image of `size`, which the limits permit, take.
    static func byteCount(_ size: PixelSize, columns: Int, rows: Int) -> Int {
        (size.width * columns + size.height * rows) * MemoryLayout<Float>.size
    }

    /// Returns the amplitude of each wave in an image of linear light, row by row.
    func strengths(of light: [SIMD3<Float>]) -> [SIMD3<Float>] {
        (0..<(columns * rows)).map { wave in
            var sum = SIMD3<Float>()
            for y in 0..<size.height {
                for x in 0..<size.width { sum += light[y * size.width + x] * height(of: wave, x: x, y: y) }
            }
            return sum * ((wave == 0 ? 1 : 2) / Float(size.width * size.height))
        }
    }

    /// Returns the amplitudes of the horizontal waves in a row of pixels.
    func row(_ y: Int, strengths: [SIMD3<Float>]) -> [SIMD3<Float>] {
        (0..<columns).map { column in
            (0..<rows).reduce(SIMD3()) { $0 + strengths[$1 * columns + column] * down[y * rows + $1] }
        }
    }

    /// Returns the light at a pixel of a row with these amplitudes.
    func color(x: Int, row: [SIMD3<Float>]) -> SIMD3<Float> {
        row.indices.reduce(SIMD3()) { $0 + row[$1] * across[x * columns + $1] }
    }

    private func height(of wave: Int, x: Int, y: Int) -> Float {
        across[x * columns + wave % columns] * down[y * rows + wave / columns]
    }

    private static func cosines(side: Int, count: Int) -> [Float] {
        (0..<side).flatMap { place in
            (0..<count).map { Float(cos(Double.pi * Double(place * $0) / Double(side))) }
        }
    }
}

extension Bitmap {
    /// The linear light of each pixel on a white background, 0 to 1.
    var light: [SIMD3<Float>] {
        withPixels { pixels in
            stride(from: 0, to: pixels.count, by: 4).map { start in
                let alpha = Float(pixels[start + 3]) / 255
                func light(_ channel: Int) -> Float { pixels[start + channel].light * alpha + 1 - alpha }
                return SIMD3(light(0), light(1), light(2))
            }
        }
    }
}

extension UInt8 {
    /// The linear light of this sRGB value.
    var light: Float {
        let value = Float(self) / 255
        return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }
}

extension SIMD3<Float> {
    /// The sRGB colour of this linear light.
    var sRGB: SIMD3<UInt8> {
        var color = SIMD3<UInt8>()
        for channel in 0..<3 {
            let light = Swift.min(Swift.max(self[channel], 0), 1)
            let value = light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
            color[channel] = UInt8(value * 255 + 0.5)
        }
        return color
    }
}
