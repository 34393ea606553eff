public import DarkroomCore

extension Bitmap {
    /// Creates a bitmap with the pixels that `color` returns.
    public init(_ width: Int, _ height: Int, hasAlpha: Bool = false, color: (_ x: Int, _ y: Int) -> Color) {
        try! self.init(PixelSize(width, height), hasAlpha: hasAlpha) { pixels in
            for y in 0..<height {
                for x in 0..<width {
                    let (start, pixel) = ((y * width + x) * 4, color(x, y))
                    pixels[start] = pixel.red
                    pixels[start + 1] = pixel.green
                    pixels[start + 2] = pixel.blue
                    pixels[start + 3] = pixel.alpha
                }
            }
        }
    }
}
