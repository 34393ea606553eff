#if arch(x86_64)
    internal import CPixels
#endif

/// Arithmetic in whole numbers over pairs of pixels, whose values alternate: r0 r1 g0 g1 b0 b1 a0 a1.
struct PairKernels {
    let path: ResamplingPath

    /// Makes pairs of the neighbours in a row. Writes whole groups of four pixels.
    func makePairs(of pixels: UnsafePointer<UInt8>, _ count: Int, _ pairs: UnsafeMutablePointer<Int16>) {
        #if arch(x86_64)
            if path == .avx2 { return unsafe darkroom_pairs_of_bytes_avx2(pixels, count, pairs) }
        #endif
        for x in 0..<count {
            let place = x / 2 * 8 + x % 2
            for channel in 0..<4 { unsafe pairs[place + 2 * channel] = Int16(pixels[4 * x + channel]) }
        }
    }

    /// Adds to each sum the next `group` pixels, to the last one those that are left.
    func addGroups(
        _ pixels: UnsafePointer<UInt8>, _ count: Int, of group: Int, to sums: UnsafeMutablePointer<UInt32>
    ) {
        #if arch(x86_64)
            if path == .avx2 { return unsafe darkroom_add_groups_avx2(pixels, count, group, sums) }
        #endif
        for (index, first) in stride(from: 0, to: count, by: group).enumerated() {
            var sum = SIMD4<UInt32>.zero
            for x in first..<min(first + group, count) {
                let place = 4 * x
                unsafe sum &+= SIMD4(
                    UInt32(pixels[place]), UInt32(pixels[place + 1]), UInt32(pixels[place + 2]),
                    UInt32(pixels[place + 3]))
            }
            for channel in 0..<4 { unsafe sums[4 * index + channel] &+= sum[channel] }
        }
    }

    /// Makes pairs of sums times `scale`, the last one times `lastScale`, rounded. Writes whole pairs.
    func makePairs(
        of sums: UnsafePointer<UInt32>, _ count: Int, scale: Float, lastScale: Float,
        _ pairs: UnsafeMutablePointer<Int16>
    ) {
        #if arch(x86_64)
            if path == .avx2 { return unsafe darkroom_pairs_of_sums_avx2(sums, count, scale, lastScale, pairs) }
        #endif
        for x in 0..<count {
            let place = x / 2 * 8 + x % 2
            let scale = x == count - 1 ? lastScale : scale
            for channel in 0..<4 {
                unsafe pairs[place + 2 * channel] = Int16(
                    truncatingIfNeeded: Int32(Float(sums[4 * x + channel]) * scale + 0.5))
            }
        }
    }

    /// Resizes four rows of pairs, and pairs the first two and the last two from `out` on.
    func resize(
        _ rows: RowMemory<Int16>, _ weights: ResamplingWeights<Int16>, _ shift: Int, to ring: RowMemory<Int16>,
        _ out: UnsafeMutablePointer<Int16>
    ) {
        #if arch(x86_64)
            if path == .avx2 {
                return unsafe darkroom_resize_pairs_avx2(
                    rows.start, rows.stride, weights.starts, weights.weights, weights.taps, weights.starts.count,
                    Int32(shift), out, ring.stride)
            }
        #endif
        let half = Self.half(shift)
        unsafe weights.weights.withUnsafeBufferPointer { table in
            for (x, start) in weights.starts.enumerated() {
                for row in 0..<ResamplingPlan.rowsAtOnce {
                    var sum = SIMD8<Int32>.zero
                    for tap in stride(from: 0, to: weights.taps, by: 2) {
                        let pair = unsafe Self.load(rows.row(row) + 4 * (Int(start) + tap))
                        unsafe sum &+=
                            pair &* Self.repeated(table[x * weights.taps + tap], table[x * weights.taps + tap + 1])
                    }
                    let values = Self.narrowed((sum.evenHalf &+ sum.oddHalf &+ half) &>> Int32(shift))
                    let place = row / 2 * ring.stride + 8 * x + row % 2
                    for channel in 0..<4 { unsafe out[place + 2 * channel] = values[channel] }
                }
            }
        }
    }

    /// Writes a row of `count` opaque pixels: the weighted sums of the resized rows in the window at `index`.
    func blend(
        _ ring: RowMemory<Int16>, _ ringCount: Int, _ weights: ResamplingWeights<Int16>, _ index: Int, _ shift: Int,
        _ count: Int, to pixels: UnsafeMutablePointer<UInt8>
    ) {
        let first = Int(weights.starts[index]) / 2 % ringCount
        let row = weights.weights[(index * weights.taps)..<((index + 1) * weights.taps)]
        unsafe row.withUnsafeBufferPointer { row in
            #if arch(x86_64)
                if path == .avx2 {
                    return unsafe darkroom_blend_pairs_avx2(
                        ring.start, ring.stride, ringCount, first, row.baseAddress, row.count, count, Int32(shift),
                        pixels)
                }
            #endif
            let half = Self.half(shift)
            for x in 0..<count {
                var sum = SIMD8<Int32>.zero
                for tap in stride(from: 0, to: row.count, by: 2) {
                    let pair = unsafe Self.load(ring.row((first + tap / 2) % ringCount) + 8 * x)
                    unsafe sum &+= pair &* Self.repeated(row[tap], row[tap + 1])
                }
                let values = (sum.evenHalf &+ sum.oddHalf &+ half) &>> Int32(shift)
                let pixel = values.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255))
                for channel in 0..<3 { unsafe pixels[4 * x + channel] = UInt8(truncatingIfNeeded: pixel[channel]) }
                unsafe pixels[4 * x + 3] = 255
            }
        }
    }

    private static func half(_ shift: Int) -> SIMD4<Int32> { SIMD4(repeating: shift > 0 ? 1 << (shift - 1) : 0) }

    private static func load(_ pair: UnsafePointer<Int16>) -> SIMD8<Int32> {
        let values = unsafe UnsafeRawPointer(pair).loadUnaligned(as: SIMD8<Int16>.self)
        return SIMD8(truncatingIfNeeded: values)
    }

    private static func repeated(_ even: Int16, _ odd: Int16) -> SIMD8<Int32> {
        let (even, odd) = (Int32(even), Int32(odd))
        return SIMD8(even, odd, even, odd, even, odd, even, odd)
    }

    private static func narrowed(_ values: SIMD4<Int32>) -> SIMD4<Int16> {
        let (least, most) = (SIMD4(repeating: Int32(Int16.min)), SIMD4(repeating: Int32(Int16.max)))
        return SIMD4(truncatingIfNeeded: values.clamped(lowerBound: least, upperBound: most))
    }
}
