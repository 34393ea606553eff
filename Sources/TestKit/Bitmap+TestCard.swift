public import DarkroomCore

extension Bitmap {
    /// Creates an image with edges, gradients and, with alpha, all values from transparent to opaque. Each number gives
    /// a different image.
    ///
    /// For tests only: it traps if the image exceeds the default limits.
    public static func testCard(_ width: Int, _ height: Int, hasAlpha: Bool = false, number: Int = 0) -> Bitmap {
        do {
            return try Bitmap(PixelSize(width, height), hasAlpha: hasAlpha) { pixels in
                for y in 0..<height {
                    for x in 0..<width {
                        let start = (y * width + x) * 4
                        pixels[start] = UInt8(truncatingIfNeeded: x * 255 / max(width - 1, 1) + number &* 37)
                        pixels[start + 1] = UInt8(truncatingIfNeeded: y * 255 / max(height - 1, 1) + number &* 11)
                        pixels[start + 2] = (x / 4 + y / 4) % 2 == 0 ? 230 : 20
                        pixels[start + 3] = hasAlpha ? UInt8((x + y) * 255 / max(width + height - 2, 1)) : 255
                    }
                }
            }
        } catch {
            preconditionFailure("\(error)")
        }
    }
}
