/// Composes animations in the most straightforward way: a reference for the real compositor that shares no code with
/// it.
public struct ReferenceCompositor {
    private struct Pixel {
        var red = 0.0
        var green = 0.0
        var blue = 0.0
        var alpha = 0.0
    }

    private let parts: AnimationParts

    /// Creates a compositor of `parts`.
    public init(_ parts: AnimationParts) { self.parts = parts }

    /// Returns every frame as a complete image: RGBA bytes, row by row, with fully transparent pixels zeroed.
    public func frames() -> [[UInt8]] {
        var canvas = [Pixel](repeating: Pixel(), count: parts.width * parts.height)
        var frames: [[UInt8]] = []
        for patch in parts.patches {
            let before = canvas
            draw(patch, on: &canvas)
            frames.append(canvas.flatMap { [UInt8($0.red), UInt8($0.green), UInt8($0.blue), UInt8($0.alpha)] })
            if patch.disposal == 1 { visit(patch) { place, _ in canvas[place] = Pixel() } }
            if patch.disposal == 2 { canvas = before }
        }
        return frames
    }

    private func draw(_ patch: AnimationParts.Patch, on canvas: inout [Pixel]) {
        visit(patch) { place, index in
            let pixel = Pixel(
                red: Double(patch.pixels[index]), green: Double(patch.pixels[index + 1]),
                blue: Double(patch.pixels[index + 2]), alpha: Double(patch.pixels[index + 3]))
            canvas[place] = patch.isBlended ? mixed(pixel, over: canvas[place]) : pixel
        }
    }

    /// Calls `body` for each pixel of the patch that lies on the canvas, with its index there and its index in the
    /// patch.
    private func visit(_ patch: AnimationParts.Patch, _ body: (_ place: Int, _ index: Int) -> Void) {
        for row in 0..<patch.height where patch.top + row < parts.height {
            for column in 0..<patch.width where patch.left + column < parts.width {
                body(
                    (patch.top + row) * parts.width + patch.left + column, (row * patch.width + column) * 4)
            }
        }
    }

    /// Returns Porter and Duff's "over", with each channel rounded to the nearest level.
    private func mixed(_ upper: Pixel, over lower: Pixel) -> Pixel {
        let weight = upper.alpha * 255
        let lowerWeight = lower.alpha * (255 - upper.alpha)
        guard weight + lowerWeight > 0 else { return Pixel() }
        func channel(_ upper: Double, _ lower: Double) -> Double {
            ((upper * weight + lower * lowerWeight) / (weight + lowerWeight)).rounded()
        }
        let alpha = ((weight + lowerWeight) / 255).rounded()
        return Pixel(
            red: channel(upper.red, lower.red), green: channel(upper.green, lower.green),
            blue: channel(upper.blue, lower.blue), alpha: alpha)
    }
}
