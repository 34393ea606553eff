import DarkroomCore
import DarkroomTestKit
import DarkroomWebP
import FoundationEssentials
import TestSupport

/// An animation with all kinds of blending, disposal and rectangles, and its frames according to a simple compositor.
struct RandomWebP {
    private struct Part {
        var area: PixelRectangle
        var flags: UInt8
        var pixels: Bitmap
    }

    let size = PixelSize(9, 7)
    private var parts: [Part] = []

    init(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<Int.random(in: 2...8, using: &random) {
            let isWhole = Int.random(in: 0..<4, using: &random) == 0
            let (x, y) =
                isWhole
                ? (0, 0) : (2 * Int.random(in: 0...4, using: &random), 2 * Int.random(in: 0...3, using: &random))
            let width = isWhole ? 9 : Int.random(in: 1...(9 - x), using: &random)
            let height = isWhole ? 7 : Int.random(in: 1...(7 - y), using: &random)
            let hasAlpha = Bool.random(using: &random)
            let pixels = Bitmap(width, height, hasAlpha: hasAlpha) { _, _ in
                let alphas: [UInt8] = [0, 255, .random(in: 1...254, using: &random)]
                let alpha = hasAlpha ? alphas.randomElement(using: &random) ?? 0 : 255
                func level() -> UInt8 { alpha == 0 ? 0 : .random(in: 0...255, using: &random) }
                return Color(red: level(), green: level(), blue: level(), alpha: alpha)
            }
            let area = PixelRectangle(x: x, y: y, width: width, height: height)
            parts.append(Part(area: area, flags: .random(in: 0...3, using: &random), pixels: pixels))
        }
    }

    /// Returns the file, whose frames last 20, 21, … ms.
    func file() throws -> Data {
        var builder = WebPBuilder(size.width, size.height, flags: 0x12)
        builder.addLoop(3, background: [1, 2, 3, 255])
        for (index, part) in parts.enumerated() {
            let image = Image(info: ImageInfo(format: .webp, storedSize: part.area.size), bitmap: part.pixels)
            let still = try CoderRegistry([WebPCoder()]).encode(
                image, as: .webp, context: ImageContext { $0.writesLosslessWebP = true })
            builder.addFrame(
                pixels: [UInt8](still.dropFirst(12)), part.area, milliseconds: 20 + index, flags: part.flags)
        }
        return builder.data
    }

    /// Returns the bytes of every displayed frame.
    func frames() -> [[UInt8]] {
        var canvas = [UInt8](repeating: 0, count: size.width * size.height * 4)
        return parts.map { part in
            let pixels = part.pixels.bytes
            forEachPixel(of: part) { start, source in
                let pixel = Array(pixels[source..<(source + 4)])
                let below = Array(canvas[start..<(start + 4)])
                canvas.replaceSubrange(start..<(start + 4), with: part.flags & 2 == 0 ? over(pixel, below) : pixel)
            }
            let shown = canvas
            if part.flags & 1 == 1 {
                forEachPixel(of: part) { start, _ in canvas.replaceSubrange(start..<(start + 4), with: [0, 0, 0, 0]) }
            }
            return shown
        }
    }

    private func forEachPixel(of part: Part, _ body: (_ onCanvas: Int, _ inPart: Int) -> Void) {
        for y in 0..<part.area.height {
            for x in 0..<part.area.width {
                body(((part.area.y + y) * size.width + part.area.x + x) * 4, (y * part.area.width + x) * 4)
            }
        }
    }

    private func over(_ pixel: [UInt8], _ below: [UInt8]) -> [UInt8] {
        let alpha = Double(pixel[3]) / 255
        let rest = Double(below[3]) / 255 * (1 - alpha)
        guard alpha + rest > 0 else { return [0, 0, 0, 0] }
        let colors = (0..<3).map { (Double(pixel[$0]) * alpha + Double(below[$0]) * rest) / (alpha + rest) }
        return (colors + [(alpha + rest) * 255]).map { UInt8($0.rounded()) }
    }
}
