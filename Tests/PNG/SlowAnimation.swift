import DarkroomCore
import DarkroomTestKit
import TestSupport

extension AnimatedPNGBuilder {
    /// Creates a random animation with few colours, many of them translucent.
    static func random(_ random: inout SeededGenerator, hasAlpha: Bool) -> AnimatedPNGBuilder {
        func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
        func noise(_ width: Int, _ height: Int) -> Bitmap {
            Bitmap(width, height, hasAlpha: hasAlpha) { _, _ in
                let alpha = hasAlpha ? [0, 90, 255][number(0...2)] : 255
                return Color(
                    red: UInt8(number(0...255)), green: UInt8(number(0...255)), blue: 7, alpha: UInt8(alpha))
            }
        }
        let canvas = PixelSize(number(1...6), number(1...6))
        let hasPicture = number(0...2) == 0
        var builder = AnimatedPNGBuilder(canvas: canvas, hasAlpha: hasAlpha, frames: [])
        builder.picture = hasPicture ? noise(canvas.width, canvas.height) : nil
        builder.chunkByteCount = number(1...60)
        for index in 0..<number(2...6) {
            let isWhole = index == 0 && !hasPicture
            let (x, y) = isWhole ? (0, 0) : (number(0...(canvas.width - 1)), number(0...(canvas.height - 1)))
            let width = isWhole ? canvas.width : number(1...(canvas.width - x))
            let height = isWhole ? canvas.height : number(1...(canvas.height - y))
            builder.frames.append(
                Frame(
                    pixels: noise(width, height), x: x, y: y, delay: (UInt16(number(2...50)), 100),
                    disposal: UInt8(number(0...2)), blending: UInt8(number(0...1))))
        }
        return builder
    }

    /// Returns the bytes of every displayed frame, composed pixel by pixel as the APNG specification describes.
    func slowFrames() -> [[UInt8]] {
        var shown: [[UInt8]] = []
        var canvasBytes = [UInt8](repeating: 0, count: canvas.width * canvas.height * 4)
        for (index, frame) in frames.enumerated() {
            let before = canvasBytes
            let source = frame.pixels.bytes
            for y in 0..<frame.pixels.size.height {
                for x in 0..<frame.pixels.size.width {
                    let from = (y * frame.pixels.size.width + x) * 4
                    let to = ((y + frame.y) * canvas.width + x + frame.x) * 4
                    let pixel = Array(source[from..<(from + 4)])
                    let below = Array(canvasBytes[to..<(to + 4)])
                    canvasBytes.replaceSubrange(
                        to..<(to + 4), with: frame.blending == 1 ? Self.over(pixel, below) : pixel)
                }
            }
            shown.append(canvasBytes)
            if frame.disposal == 2, index > 0 { canvasBytes = before }
            guard frame.disposal == 1 || frame.disposal == 2 && index == 0 else { continue }
            for y in 0..<frame.pixels.size.height {
                let start = ((y + frame.y) * canvas.width + frame.x) * 4
                for offset in 0..<(frame.pixels.size.width * 4) { canvasBytes[start + offset] = 0 }
            }
        }
        return shown
    }

    private static func over(_ pixel: [UInt8], _ below: [UInt8]) -> [UInt8] {
        let (alpha, alphaBelow) = (Double(pixel[3]) / 255, Double(below[3]) / 255 * (1 - Double(pixel[3]) / 255))
        guard alpha + alphaBelow > 0 else { return [0, 0, 0, 0] }
        let channels = (0..<3).map {
            (Double(pixel[$0]) * alpha + Double(below[$0]) * alphaBelow) / (alpha + alphaBelow)
        }
        return channels.map { UInt8($0.rounded()) } + [UInt8(((alpha + alphaBelow) * 255).rounded())]
    }
}
