/// The frequencies of colours, grouped by the upper 5, 6 and 5 bits of red, green and blue.
struct ColorHistogram {
    /// A group of similar colours.
    struct Bin {
        /// The sums of red, green and blue, and the number of pixels.
        let sums: SIMD4<Double>

        /// The means of red, green and blue, and 1.
        let mean: SIMD4<Double>
    }

    /// The bins that contain pixels, in a fixed order.
    let bins: [Bin]

    /// Whether there are transparent pixels, which belong to no bin.
    let hasTransparent: Bool

    /// Counts the colours of `patch`.
    init(_ patch: GIFPatch) throws {
        var sums = [SIMD4<Int>](repeating: .zero, count: 1 << 16)
        var hasTransparent = false
        try patch.forEachRow { row in
            for color in row {
                guard color != .transparent else {
                    hasTransparent = true
                    continue
                }
                let bin = Int(color.red >> 3) << 11 | Int(color.green >> 2) << 5 | Int(color.blue >> 3)
                sums[bin] &+= SIMD4(Int(color.red), Int(color.green), Int(color.blue), 1)
            }
            return true
        }
        bins = sums.lazy.filter { $0.w > 0 }.map {
            Bin(sums: SIMD4(Double($0.x), Double($0.y), Double($0.z), Double($0.w)))
        }
        self.hasTransparent = hasTransparent
    }
}

extension ColorHistogram.Bin {
    fileprivate init(sums: SIMD4<Double>) {
        self.init(sums: sums, mean: sums / sums.w)
    }
}
