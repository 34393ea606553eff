import Darkroom
import Foundation

extension Bitmap {
    /// Returns one row of opaque greys, 0 to 2.55.
    static func row(_ grays: [Double]) throws -> Bitmap {
        try Bitmap(PixelSize(grays.count, 1), hasAlpha: false) { pixels in
            for (x, gray) in grays.enumerated() {
                for channel in 0..<3 { pixels[x * 4 + channel] = UInt8(gray * 100) }
                pixels[x * 4 + 3] = 255
            }
        }
    }

    /// Returns rows of colours, with `nil` for transparent.
    static func rows(_ rows: [[Color?]]) throws -> Bitmap {
        try Bitmap(PixelSize(rows[0].count, rows.count), hasAlpha: rows.joined().contains(nil)) { pixels in
            for (index, color) in rows.joined().enumerated() {
                guard let color else { continue }
                for (channel, value) in [color.red, color.green, color.blue, color.alpha].enumerated() {
                    pixels[index * 4 + channel] = value
                }
            }
        }
    }
}

extension Image {
    /// Returns an animation of three frames, one of which cannot be decoded.
    static func broken(at index: Int) throws -> Image {
        let first = try Bitmap.row([0])
        let animation = Animation(
            loopCount: 1, frameDurations: [.milliseconds(100), .milliseconds(100), .milliseconds(100)], byteCount: 0
        ) {
            BrokenFrames(count: 3, broken: [index])
        }
        return Image(info: ImageInfo(format: .gif, storedSize: first.size), bitmap: first, animation: animation)
    }
}

/// Frames, some of which cannot be decoded.
struct BrokenFrames: FrameDecoder {
    let count: Int
    let broken: Set<Int>
    var next = 0

    mutating func nextFrame() throws -> Frame? {
        guard next < count else { return nil }
        defer { next += 1 }
        guard !broken.contains(next) else { throw ImageError(.corrupt, .decode, "frame \(next) is broken") }
        return Frame(try .row([Double(next) / 10]), duration: .milliseconds(100))
    }
}

extension PNGCoder {
    /// A registry with this coder only.
    static var registry: CoderRegistry { CoderRegistry([PNGCoder()]) }
}
