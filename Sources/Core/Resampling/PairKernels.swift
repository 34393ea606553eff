#if arch(x86_64)
    internal import CPixels
#endif

/// Integer kernels on pairs of interleaved pixels: r0 r1 g0 g1 b0 b1 a0 a1.
struct PairKernels {
    let path: ResamplingPath
    let format: PairFormat

    /// Interleaves pairs of neighbours in a row. Writes whole groups of four pixels.
    func makePairs(of pixels: UnsafePointer<UInt8>, _ count: Int, _ pairs: UnsafeMutablePointer<Int16>) {
        #if arch(x86_64)
            if path != .portable {
                return unsafe format.hasAlpha
                    ? darkroom_premultiplied_pairs_of_bytes_avx2(pixels, count, pairs)
                    : darkroom_pairs_of_bytes_avx2(pixels, count, pairs)
            }
        #endif
        for x in 0..<count {
            let values = unsafe self.values(pixels + 4 * x)
            let offset: UInt32 = format.hasAlpha ? 32768 : 0
            unsafe Self.store(SIMD4<Int16>(truncatingIfNeeded: values &- offset), pairs, x)
        }
    }

    /// Adds the next `group` pixels to each sum, and the remaining ones to the last sum.
    func addGroups(
        _ pixels: UnsafePointer<UInt8>, _ count: Int, of group: Int, to sums: UnsafeMutablePointer<UInt32>
    ) {
        #if arch(x86_64)
            if path != .portable {
                return unsafe format.hasAlpha
                    ? darkroom_add_premultiplied_groups_avx2(pixels, count, group, sums)
                    : darkroom_add_groups_avx2(pixels, count, group, sums)
            }
        #endif
        var x = 0
        var place = UnsafeMutableRawPointer(sums)
        while x < count {
            var sum = unsafe place.loadUnaligned(as: SIMD4<UInt32>.self)
            let end = min(x + group, count)
            while x < end {
                unsafe sum &+= values(pixels + 4 * x)
                x += 1
            }
            unsafe place.storeBytes(of: sum, as: SIMD4<UInt32>.self)
            unsafe place += MemoryLayout<SIMD4<UInt32>>.size
        }
    }

    /// Writes pairs of averages: sums divided by `pixelCount`, the last one by `lastPixelCount`. Writes whole pairs.
    func makePairs(
        of sums: UnsafePointer<UInt32>, _ count: Int, pixelCount: Int, lastPixelCount: Int,
        _ pairs: UnsafeMutablePointer<Int16>
    ) {
        let (scale, lastScale) = (format.averageScale / Float(pixelCount), format.averageScale / Float(lastPixelCount))
        #if arch(x86_64)
            if path != .portable {
                return unsafe darkroom_pairs_of_sums_avx2(
                    sums, count, scale, lastScale, format.averageOffset, pairs)
            }
        #endif
        for x in 0..<count {
            let scale = x == count - 1 ? lastScale : scale
            var values = SIMD4<Int16>.zero
            for channel in 0..<4 {
                let value = unsafe Int32(Float(sums[4 * x + channel]) * scale + 0.5)
                values[channel] = Int16(truncatingIfNeeded: value &- format.averageOffset)
            }
            unsafe Self.store(values, pairs, x)
        }
    }

    /// Resizes four rows of pairs, and interleaves the first two and the last two into rows from `out` on.
    func resize(
        _ rows: RowBuffer<Int16>, _ weights: ResamplingWeights<Int16>, _ shift: Int, to ring: RowBuffer<Int16>,
        _ out: UnsafeMutablePointer<Int16>
    ) {
        #if arch(x86_64)
            if path != .portable {
                let resize = unsafe path == .avx512 ? darkroom_resize_pairs_avx512 : darkroom_resize_pairs_avx2
                return unsafe resize(
                    rows.start, rows.stride, weights.starts, weights.weights, weights.taps, weights.starts.count,
                    Int32(shift), out, ring.stride)
            }
        #endif
        let half = SIMD4<Int32>(repeating: shift > 0 ? 1 << (shift - 1) : 0)
        unsafe weights.weights.withUnsafeBufferPointer { table in
            for (x, start) in weights.starts.enumerated() {
                for row in 0..<ResamplingPlan.rowsAtOnce {
                    let pairs = unsafe rows.row(row) + 4 * Int(start)
                    var sum = half
                    for tap in stride(from: 0, to: weights.taps, by: 2) {
                        unsafe sum &+= Self.weighted(pairs + 4 * tap, table, x * weights.taps + tap)
                    }
                    let values = sum &>> Int32(shift)
                    unsafe Self.store(Self.narrowed(values), out + row / 2 * ring.stride, 2 * x + row % 2)
                }
            }
        }
    }

    /// Writes a row of `count` pixels: the sum of resized rows, from `first` on in the ring, times `weights`.
    func blend(
        _ ring: RowBuffer<Int16>, _ ringCount: Int, from first: Int, _ weights: ArraySlice<Int16>, _ fractionBits: Int,
        _ count: Int, to pixels: UnsafeMutablePointer<UInt8>
    ) {
        let offset = format.sumOffset(fractionBits)
        unsafe weights.withUnsafeBufferPointer { weights in
            #if arch(x86_64)
                if path != .portable {
                    return unsafe format.hasAlpha
                        ? darkroom_blend_premultiplied_pairs_avx2(
                            ring.start, ring.stride, ringCount, first, weights.baseAddress, weights.count, count,
                            offset, format.sumScale(fractionBits), pixels)
                        : darkroom_blend_pairs_avx2(
                            ring.start, ring.stride, ringCount, first, weights.baseAddress, weights.count, count,
                            format.sumShift(fractionBits), pixels)
                }
            #endif
            for x in 0..<count {
                var sum = SIMD4(repeating: offset)
                for tap in stride(from: 0, to: weights.count, by: 2) {
                    let row = unsafe ring.row((first + tap / 2) % ringCount)
                    unsafe sum &+= Self.weighted(row + 8 * x, weights, tap)
                }
                let pixel = self.pixel(of: sum, fractionBits)
                for channel in 0..<4 { unsafe pixels[4 * x + channel] = pixel[channel] }
            }
        }
    }

    /// Returns the channels of a pixel, premultiplied if it has alpha.
    private func values(_ pixel: UnsafePointer<UInt8>) -> SIMD4<UInt32> {
        let bytes = unsafe UnsafeRawPointer(pixel).loadUnaligned(as: SIMD4<UInt8>.self)
        let values = SIMD4<UInt32>(truncatingIfNeeded: bytes)
        return format.hasAlpha ? values &* SIMD4(values.w, values.w, values.w, 255) : values
    }

    private func pixel(of sum: SIMD4<Int32>, _ fractionBits: Int) -> SIMD4<UInt8> {
        guard format.hasAlpha else {
            let values = sum &>> format.sumShift(fractionBits)
            var pixel = SIMD4<UInt8>(
                truncatingIfNeeded: values.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255)))
            pixel.w = 255
            return pixel
        }
        let scale = format.sumScale(fractionBits)
        let alpha = min(max(Float(sum.w) * (scale * (1 / 255)), 0), 255)
        guard alpha >= 0.5 else { return .zero }
        var pixel = SIMD4<UInt8>(0, 0, 0, UInt8(alpha + 0.5))
        for channel in 0..<3 {
            pixel[channel] = UInt8(min(max(Float(sum[channel]) * scale / alpha, 0), 255) + 0.5)
        }
        return pixel
    }

    /// Multiplies a pair by the weights from `place` on and adds the products. Processors have a single instruction for
    /// that.
    private static func weighted(
        _ pair: UnsafePointer<Int16>, _ weights: UnsafeBufferPointer<Int16>, _ place: Int
    ) -> SIMD4<Int32> {
        let values = unsafe UnsafeRawPointer(pair).loadUnaligned(as: SIMD8<Int16>.self)
        let (even, odd) = unsafe (weights[place], weights[place + 1])
        let both = SIMD8(even, odd, even, odd, even, odd, even, odd)
        let products = SIMD8<Int32>(truncatingIfNeeded: values) &* SIMD8<Int32>(truncatingIfNeeded: both)
        return products.evenHalf &+ products.oddHalf
    }

    private static func store(_ values: SIMD4<Int16>, _ pairs: UnsafeMutablePointer<Int16>, _ x: Int) {
        for channel in 0..<4 { unsafe pairs[x / 2 * 8 + x % 2 + 2 * channel] = values[channel] }
    }

    private static func narrowed(_ values: SIMD4<Int32>) -> SIMD4<Int16> {
        let (least, most) = (SIMD4(repeating: Int32(Int16.min)), SIMD4(repeating: Int32(Int16.max)))
        return SIMD4(truncatingIfNeeded: values.clamped(lowerBound: least, upperBound: most))
    }
}
