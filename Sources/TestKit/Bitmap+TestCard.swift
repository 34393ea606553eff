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

    /// Whether the alpha of every pixel is 255.
    var isOpaque: Bool {
        withPixels { pixels in stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == 255 } }
    }

    /// Returns the largest difference of any channel of any pixel; 256 if the sizes differ.
    func largestDifference(to other: Bitmap) -> Int {
        guard size == other.size else { return 256 }
        return withPixels { left in
            other.withPixels { right in
                left.indices.reduce(0) { max($0, abs(Int(left[$1]) - Int(right[$1]))) }
            }
        }
    }
}
