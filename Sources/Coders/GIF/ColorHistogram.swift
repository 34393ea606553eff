/// How often colours occur, those together that agree in the upper 5, 6 and 5 bits of red, green and blue.
struct ColorHistogram {
    /// For each bin the sums of red, green and blue, and the count of pixels.
    private var sums = [SIMD4<Int>](repeating: .zero, count: 1 << 16)
    private var hasTransparent = false

    mutating func add(_ color: GIFColor) {
        guard color != .transparent else { return hasTransparent = true }
        sums[bin(of: color)] &+= SIMD4(Int(color.red), Int(color.green), Int(color.blue), 1)
    }

    /// At most `count` colours, found by median cut: the box that matters most is halved until there are enough.
    func reduced(to count: Int) -> ReducedColors {
        var boxes = [ColorBox(sums.indices.compactMap { ColorBox.Bin(number: $0, sum: sums[$0]) })]
        while boxes.count < count - (hasTransparent ? 1 : 0) {
            let index = boxes.indices.max { boxes[$0].importance < boxes[$1].importance } ?? 0
            guard let halves = boxes[index].halves() else { break }
            boxes[index] = halves.0
            boxes.append(halves.1)
        }
        return ReducedColors(boxes, hasTransparent: hasTransparent)
    }
}

/// The colours that stand for all others, and which stands for which.
struct ReducedColors {
    /// The mean of each part of the picture's colours; the transparent one is last.
    private(set) var colors: [GIFColor]

    /// The index of the colour that stands for each bin.
    private var indices = [UInt8](repeating: 0, count: 1 << 16)

    fileprivate init(_ boxes: [ColorBox], hasTransparent: Bool) {
        colors = boxes.map(\.mean) + (hasTransparent ? [.transparent] : [])
        for (index, box) in boxes.enumerated() {
            for bin in box.bins { indices[bin.number] = UInt8(index) }
        }
    }

    func index(of color: GIFColor) -> UInt8 {
        color == .transparent ? UInt8(colors.count - 1) : indices[bin(of: color)]
    }
}

/// The bins of a part of the colour space.
private struct ColorBox {
    struct Bin {
        let number: Int
        let sum: SIMD4<Int>
        let mean: SIMD4<Int>

        /// `nil` for a bin without pixels.
        init?(number: Int, sum: SIMD4<Int>) {
            guard sum.w > 0 else { return nil }
            self.number = number
            self.sum = sum
            mean = sum / sum.w
        }
    }

    let bins: [Bin]
    private let count: Int
    private let longestSide: (channel: Int, length: Int)

    /// How much is won by halving the box: many pixels that differ much.
    var importance: Int { count * longestSide.length }

    init(_ bins: [Bin]) {
        self.bins = bins
        count = bins.reduce(0) { $0 + $1.sum.w }
        let sides = (0..<3).map { channel in
            let values = bins.map { $0.mean[channel] }
            return (channel, (values.max() ?? 0) - (values.min() ?? 0))
        }
        longestSide = sides.max { $0.1 < $1.1 } ?? (0, 0)
    }

    /// Two boxes of about as many pixels each; `nil` when there is only one bin.
    func halves() -> (ColorBox, ColorBox)? {
        guard bins.count > 1 else { return nil }
        let channel = longestSide.channel
        let sorted = bins.sorted { ($0.mean[channel], $0.number) < ($1.mean[channel], $1.number) }
        var (end, pixels) = (1, sorted[0].sum.w)
        while end < sorted.count - 1, pixels + sorted[end].sum.w <= count / 2 {
            pixels += sorted[end].sum.w
            end += 1
        }
        return (ColorBox(Array(sorted[..<end])), ColorBox(Array(sorted[end...])))
    }

    var mean: GIFColor {
        let sum = bins.reduce(into: SIMD4<Int>.zero) { $0 &+= $1.sum }
        let mean = (sum &+ sum.w / 2) / max(sum.w, 1)
        return GIFColor(red: UInt8(mean.x), green: UInt8(mean.y), blue: UInt8(mean.z))
    }
}

private func bin(of color: GIFColor) -> Int {
    Int(color.red >> 3) << 11 | Int(color.green >> 2) << 5 | Int(color.blue >> 3)
}
