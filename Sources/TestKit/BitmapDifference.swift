public import DarkroomCore

/// The first difference between a bitmap and the one that was expected.
public enum BitmapDifference: Hashable, Sendable {
    /// The sizes differ.
    case size(PixelSize, expected: PixelSize)

    /// The expected bitmap has pixels that are not opaque, and the other one has no alpha.
    case lostAlpha

    /// The channels of all pixels are in another order, such as `BGRA`.
    case channelOrder(String)

    /// A channel of the pixel in this column and row differs by more than the tolerance. It is the first one from the top
    /// left, and `count` is the number of all such pixels.
    case pixel(x: Int, y: Int, Color, expected: Color, count: Int)
}

extension BitmapDifference: CustomStringConvertible {
    /// A sentence with what is there and what was expected, as in `pixel (3, 0) is #ff102030, not #ff102031`.
    public var description: String {
        switch self {
        case .size(let size, let expected) where size == PixelSize(expected.height, expected.width):
            "the size is \(size), not \(expected): width and height are swapped"
        case .size(let size, let expected): "the size is \(size), not \(expected)"
        case .lostAlpha: "the alpha of the pixels is lost"
        case .channelOrder("BGRA"): "red and blue are swapped"
        case .channelOrder(let order): "the channels are in the order \(order), not RGBA"
        case .pixel(let x, let y, let color, let expected, let count):
            "pixel (\(x), \(y)) is \(color), not \(expected)" + (count > 1 ? "; \(count) pixels differ" : "")
        }
    }
}

extension Bitmap {
    /// Returns the first difference from `expected`; `nil` if no channel of any pixel differs by more than `tolerance`.
    ///
    /// The alpha flags may differ as long as all pixels are opaque.
    public func firstDifference(from expected: Bitmap, tolerance: Int = 0) -> BitmapDifference? {
        guard size == expected.size else { return .size(size, expected: expected.size) }
        guard hasAlpha || expected.isOpaque else { return .lostAlpha }
        guard let difference = firstDifferentPixel(from: expected, tolerance: tolerance) else { return nil }
        return channelOrder(comparedTo: expected, tolerance: tolerance).map { .channelOrder($0) } ?? difference
    }

    private func firstDifferentPixel(from expected: Bitmap, tolerance: Int) -> BitmapDifference? {
        withPixels { pixels in
            expected.withPixels { others in
                var (first, count) = (0, 0)
                for start in stride(from: 0, to: pixels.count, by: 4)
                where (start..<(start + 4)).contains(where: { abs(Int(pixels[$0]) - Int(others[$0])) > tolerance }) {
                    if count == 0 { first = start }
                    count += 1
                }
                guard count > 0 else { return nil }
                return .pixel(
                    x: first / 4 % size.width, y: first / 4 / size.width, Color(pixels, at: first),
                    expected: Color(others, at: first), count: count)
            }
        }
    }

    /// Returns the order of the channels, if all pixels are those of `expected` in another one. Swaps of two channels are
    /// preferred, because grey pixels allow several orders.
    private func channelOrder(comparedTo expected: Bitmap, tolerance: Int) -> String? {
        ["BGRA", "GRBA", "RBGA", "GBRA", "BRGA", "ARGB", "ABGR"].first { order in
            let places = order.utf8.compactMap { "RGBA".utf8.firstIndex(of: $0)?.utf16Offset(in: "RGBA") }
            return withPixels { pixels in
                expected.withPixels { others in
                    pixels.indices.allSatisfy { index in
                        let other = others[index / 4 * 4 + places[index % 4]]
                        return abs(Int(pixels[index]) - Int(other)) <= tolerance
                    }
                }
            }
        }
    }

    /// Returns the largest difference of any channel of any pixel; 256 if the sizes differ.
    public func largestDifference(to other: Bitmap) -> Int {
        guard size == other.size else { return 256 }
        return withPixels { left in
            other.withPixels { right in
                left.indices.reduce(0) { max($0, abs(Int(left[$1]) - Int(right[$1]))) }
            }
        }
    }

    /// Returns the largest difference of any channel of any pixel, with colours weighted by alpha, so that what cannot be
    /// seen does not count; 256 if the sizes differ.
    public func largestVisibleDifference(to other: Bitmap) -> Int {
        guard size == other.size else { return 256 }
        return withPixels { left in
            other.withPixels { right in
                left.indices.reduce(0) {
                    max($0, abs(weightedChannel(of: left, at: $1) - weightedChannel(of: right, at: $1)))
                }
            }
        }
    }

    /// Returns the mean difference over all channels of all pixels, rounded down; 256 if the sizes differ.
    public func meanDifference(to other: Bitmap) -> Int {
        guard size == other.size else { return 256 }
        return withPixels { left in
            other.withPixels { right in
                left.indices.reduce(0) { $0 + abs(Int(left[$1]) - Int(right[$1])) } / left.count
            }
        }
    }

    /// Returns the channel at `index`, multiplied by alpha unless it is alpha itself.
    private func weightedChannel(of pixels: Span<UInt8>, at index: Int) -> Int {
        index % 4 == 3 ? Int(pixels[index]) : Int(pixels[index]) * Int(pixels[index | 3]) / 255
    }

    /// Whether the alpha of every pixel is 255.
    var isOpaque: Bool {
        withPixels { pixels in stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == 255 } }
    }
}

extension Color {
    fileprivate init(_ pixels: Span<UInt8>, at start: Int) {
        self.init(red: pixels[start], green: pixels[start + 1], blue: pixels[start + 2], alpha: pixels[start + 3])
    }
}
