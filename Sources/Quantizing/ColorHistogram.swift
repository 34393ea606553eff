/// The frequencies of the colours of pictures, in bins of similar ones.
package struct ColorHistogram {
    /// Similar colours: their mean, and the number of pixels that have them.
    struct Bin {
        var point: ColorPoint
        var weight: Float
    }

    /// Whether there are transparent pixels, which belong to no bin.
    package private(set) var hasTransparent = false

    /// By six bits of each channel.
    private var opaque = BinTable(keyBitCount: 18)
    /// By five bits of each channel and four of alpha.
    private var translucent: BinTable?

    /// Creates a histogram of no pixels.
    package init() {}

    /// Counts the pixels of `row`.
    package mutating func insert(_ row: [PackedColor]) {
        var run: (color: PackedColor, count: UInt64) = (.transparent, 0)
        for color in row {
            if color == run.color {
                run.count += 1
            } else {
                insert(run.color, count: run.count)
                run = (color, 1)
            }
        }
        insert(run.color, count: run.count)
    }

    private mutating func insert(_ color: PackedColor, count: UInt64) {
        guard count > 0 else { return }
        let (red, green, blue) = (Int(color.red), Int(color.green), Int(color.blue))
        switch color.alpha {
        case 0: hasTransparent = true
        case 255: opaque.insert(color, count: count, key: red >> 2 | (green >> 2) << 6 | (blue >> 2) << 12)
        case let alpha:
            let key = red >> 3 | (green >> 3) << 5 | (blue >> 3) << 10 | Int(alpha >> 4) << 15
            if translucent == nil { translucent = BinTable(keyBitCount: 19) }
            translucent?.insert(color, count: count, key: key)
        }
    }

    /// The bins of opaque pixels, in a fixed order.
    var opaqueBins: [Bin] { opaque.bins }

    /// The bins of pixels that are neither opaque nor transparent, in a fixed order.
    var translucentBins: [Bin] { translucent?.bins ?? [] }
}

/// Bins, each of the colours with one key.
private struct BinTable {
    /// Above this number, bins with neighbouring keys are merged, because each costs time.
    private static let binLimit = 1 << 16

    /// The index in `sums` of each key, plus 1; 0 if it has no colours.
    private var indices: [Int32]
    private var sums: [BinSums] = []

    init(keyBitCount: Int) { indices = Array(repeating: 0, count: 1 << keyBitCount) }

    mutating func insert(_ color: PackedColor, count: UInt64, key: Int) {
        if indices[key] == 0 {
            sums.append(BinSums())
            indices[key] = Int32(sums.count)
        }
        sums[Int(indices[key]) - 1].add(color, count: count)
    }

    var bins: [ColorHistogram.Bin] {
        let mergedCount = max((sums.count + Self.binLimit - 1) / Self.binLimit, 1)
        let sorted = indices.lazy.filter { $0 != 0 }.map { sums[Int($0) - 1] }
        guard mergedCount > 1 else { return sorted.map(\.bin) }
        let all = Array(sorted)
        return stride(from: 0, to: all.count, by: mergedCount).map { start in
            all[start..<min(start + mergedCount, all.count)].reduce(into: BinSums()) { $0.add($1) }.bin
        }
    }
}

/// The sums of the colours of a bin.
private struct BinSums {
    /// The premultiplied channels and alpha, 255 times as large.
    private var channels = SIMD4<UInt64>.zero
    private var count: UInt64 = 0

    mutating func add(_ color: PackedColor, count: UInt64) {
        let straight = SIMD4(UInt64(color.red), UInt64(color.green), UInt64(color.blue), 255)
        channels &+= straight &* (UInt64(color.alpha) &* count)
        self.count &+= count
    }

    mutating func add(_ other: BinSums) {
        channels &+= other.channels
        count &+= other.count
    }

    var bin: ColorHistogram.Bin {
        let mean = SIMD4<Double>(channels) / (255 * Double(count))
        return ColorHistogram.Bin(point: ColorPoint(mean - mean.w / 2), weight: Float(count))
    }
}
