#if arch(x86_64)
    internal import CPixels
#endif

/// Integer kernels on pairs of interleaved pixels: r0 r1 g0 g1 b0 b1 a0 a1.
struct PairKernels {
    /// The numbers of pixels in the sums of a row: in the last one, and in each of the others.
    struct Divisors {
        let pixelCount: Int
        let lastPixelCount: Int
    }

    /// The number of values in a pair.
    private static let pairSize = 8

    /// The number of values in a block: a horizontal pair of each row that is resized at once.
    private static let blockSize = ResamplingPlan.rowsAtOnce * pairSize

    let path: ResamplingPath
    let format: PairFormat

    /// Creates blocks for rows of `count` pixels and the padding of kernels.
    static func makeBlocks(_ count: Int) -> RowBuffer<Int16> {
        RowBuffer(1, stride: count.roundedUp(to: 4) / 2 * blockSize)
    }

    /// Returns the pair of the row at `slot` in the first block.
    static func pairs(ofRowAt slot: Int, in blocks: RowBuffer<Int16>) -> UnsafeMutablePointer<Int16> {
        unsafe blocks.start + slot * pairSize
    }

    /// Makes blocks of four rows of `count` pixels. Writes whole groups of four pixels.
    func writeBlocks(of rows: SourceRows, count: Int, to blocks: RowBuffer<Int16>) {
        #if arch(x86_64)
            if path != .portable, format.isLight {
                return unsafe LightTables.light.withUnsafeBufferPointer {
                    unsafe darkroom_blocks_of_light(rows.start, rows.stride, count, $0.baseAddress, blocks.start)
                }
            }
            if path != .portable {
                return unsafe blockKernel(rows.start, rows.stride, count, blocks.start)
            }
        #endif
        let offset: UInt32 = format.hasAlpha ? 32768 : 0
        for slot in 0..<ResamplingPlan.rowsAtOnce {
            let pairs = unsafe Self.pairs(ofRowAt: slot, in: blocks)
            for x in 0..<count {
                let values = unsafe SIMD4<Int16>(truncatingIfNeeded: self.values(rows.row(slot) + 4 * x) &- offset)
                unsafe Self.store(values, in: pairs + x / 2 * Self.blockSize, at: x % 2)
            }
        }
    }

    #if arch(x86_64)
        private typealias BlockKernel = (UnsafePointer<UInt8>, Int, Int, UnsafeMutablePointer<Int16>) -> Void

        private var blockKernel: BlockKernel {
            switch (path, format.hasAlpha) {
            case (.avx512, false): unsafe darkroom_blocks_of_bytes_avx512
            case (.avx512, true): unsafe darkroom_premultiplied_blocks_of_bytes_avx512
            case (_, false): unsafe darkroom_blocks_of_bytes_avx2
            case (_, true): unsafe darkroom_premultiplied_blocks_of_bytes_avx2
            }
        }
    #endif

    /// Adds the next `group` pixels to each sum, and the remaining ones to the last sum.
    func addGroups(
        of group: Int, from pixels: UnsafePointer<UInt8>, count: Int, to sums: UnsafeMutablePointer<UInt32>
    ) {
        #if arch(x86_64)
            if path != .portable, format.isLight {
                return unsafe LightTables.light.withUnsafeBufferPointer {
                    unsafe darkroom_add_light_groups(pixels, count, group, $0.baseAddress, sums)
                }
            }
            if path != .portable {
                return unsafe format.hasAlpha
                    ? darkroom_add_premultiplied_groups_avx2(pixels, count, group, sums)
                    : darkroom_add_groups_avx2(pixels, count, group, sums)
            }
        #endif
        var x = 0
        var destination = UnsafeMutableRawPointer(sums)
        while x < count {
            var sum = unsafe destination.loadUnaligned(as: SIMD4<UInt32>.self)
            let end = min(x + group, count)
            while x < end {
                unsafe sum &+= values(pixels + 4 * x)
                x += 1
            }
            unsafe destination.storeBytes(of: sum, as: SIMD4<UInt32>.self)
            unsafe destination += MemoryLayout<SIMD4<UInt32>>.size
        }
    }

    /// Writes pairs of averages, for a row of blocks: sums divided by their numbers of pixels. Writes whole pairs.
    func writePairs(
        of sums: UnsafePointer<UInt32>, count: Int, dividedBy divisors: Divisors, to pairs: UnsafeMutablePointer<Int16>
    ) {
        let scale = format.averageScale / Float(divisors.pixelCount)
        let lastScale = format.averageScale / Float(divisors.lastPixelCount)
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
            unsafe Self.store(values, in: pairs + x / 2 * Self.blockSize, at: x % 2)
        }
    }

    /// Resizes the four rows of `blocks`, and interleaves the first two and the last two into the rows of `output`.
    func resize(
        _ blocks: RowBuffer<Int16>, by weights: ResamplingWeights<Int16>, shift: Int, to output: OutputRows<Int16>
    ) {
        #if arch(x86_64)
            if path != .portable {
                let resize = unsafe path == .avx512 ? darkroom_resize_pairs_avx512 : darkroom_resize_pairs_avx2
                return unsafe resize(
                    blocks.start, weights.starts, weights.weights, weights.taps, weights.starts.count, Int32(shift),
                    output.start, output.stride)
            }
        #endif
        let half = SIMD4<Int32>(repeating: shift > 0 ? 1 << (shift - 1) : 0)
        unsafe weights.weights.withUnsafeBufferPointer { table in
            for (x, start) in weights.starts.enumerated() {
                for row in 0..<ResamplingPlan.rowsAtOnce {
                    let window = unsafe Self.pairs(ofRowAt: row, in: blocks) + Int(start) / 2 * Self.blockSize
                    var sum = half
                    for tap in stride(from: 0, to: weights.taps, by: 2) {
                        let pair = unsafe window + tap / 2 * Self.blockSize
                        unsafe sum &+= Self.weighted(pair, by: table, at: x * weights.taps + tap)
                    }
                    let values = sum &>> Int32(shift)
                    let pair = unsafe output.start + row / 2 * output.stride + x * Self.pairSize
                    unsafe Self.store(Self.narrowed(values), in: pair, at: row % 2)
                }
            }
        }
    }

    /// Writes a row of `count` pixels: the sum of the resized rows of `window`, times `weights`.
    func blend(
        _ window: RingWindow<Int16>, by weights: ArraySlice<Int16>, fractionBits: Int, count: Int,
        to pixels: UnsafeMutablePointer<UInt8>
    ) {
        let offset = format.sumOffset(fractionBits)
        unsafe weights.withUnsafeBufferPointer { weights in
            #if arch(x86_64)
                if path != .portable, format.isLight {
                    return unsafe LightTables.values.withUnsafeBufferPointer { values in
                        unsafe darkroom_blend_light_avx2(
                            window.rows.start, window.rows.stride, window.rowCount, window.first, weights.baseAddress,
                            weights.count, count, format.sumShift(fractionBits), values.baseAddress,
                            Int32(LightTables.white), pixels)
                    }
                }
                if path != .portable {
                    return unsafe format.hasAlpha
                        ? darkroom_blend_premultiplied_pairs_avx2(
                            window.rows.start, window.rows.stride, window.rowCount, window.first, weights.baseAddress,
                            weights.count, count, offset, format.sumScale(fractionBits), pixels)
                        : darkroom_blend_pairs_avx2(
                            window.rows.start, window.rows.stride, window.rowCount, window.first, weights.baseAddress,
                            weights.count, count, format.sumShift(fractionBits), pixels)
                }
            #endif
            for x in 0..<count {
                var sum = SIMD4(repeating: offset)
                for tap in stride(from: 0, to: weights.count, by: 2) {
                    let row = unsafe window.row(tap / 2)
                    unsafe sum &+= Self.weighted(row + x * Self.pairSize, by: weights, at: tap)
                }
                let pixel = self.pixel(of: sum, fractionBits: fractionBits)
                for channel in 0..<4 { unsafe pixels[4 * x + channel] = pixel[channel] }
            }
        }
    }

    /// Returns the channels of a pixel, premultiplied if it has alpha, or their light.
    private func values(_ pixel: UnsafePointer<UInt8>) -> SIMD4<UInt32> {
        if format.isLight {
            let light = LightTables.light
            return unsafe SIMD4(light[Int(pixel[0])], light[Int(pixel[1])], light[Int(pixel[2])], light[255])
        }
        let bytes = unsafe UnsafeRawPointer(pixel).loadUnaligned(as: SIMD4<UInt8>.self)
        let values = SIMD4<UInt32>(truncatingIfNeeded: bytes)
        return format.hasAlpha ? values &* SIMD4(values.w, values.w, values.w, 255) : values
    }

    private func pixel(of sum: SIMD4<Int32>, fractionBits: Int) -> SIMD4<UInt8> {
        if format.isLight {
            let light = (sum &>> format.sumShift(fractionBits)).clamped(
                lowerBound: .zero, upperBound: SIMD4(repeating: Int32(LightTables.white)))
            let values = LightTables.values
            return SIMD4(values[Int(light.x)], values[Int(light.y)], values[Int(light.z)], 255)
        }
        guard format.hasAlpha else {
            let values = sum &>> format.sumShift(fractionBits)
            var pixel = SIMD4<UInt8>(
                truncatingIfNeeded: values.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255)))
            pixel.w = 255
            return pixel
        }
        let scale = format.sumScale(fractionBits)
        // Before it is clamped, because the colours have overshot by the same factor.
        let alpha = Float(sum.w) * (scale * (1 / 255))
        guard alpha >= 0.5 else { return .zero }
        var pixel = SIMD4<UInt8>(0, 0, 0, UInt8(min(alpha, 255) + 0.5))
        for channel in 0..<3 {
            pixel[channel] = UInt8(min(max(Float(sum[channel]) * scale / alpha, 0), 255) + 0.5)
        }
        return pixel
    }

    /// Multiplies a pair by the weights from `index` on and adds the products. Processors have a single instruction for
    /// that.
    private static func weighted(
        _ pair: UnsafePointer<Int16>, by weights: UnsafeBufferPointer<Int16>, at index: Int
    ) -> SIMD4<Int32> {
        let values = unsafe UnsafeRawPointer(pair).loadUnaligned(as: SIMD8<Int16>.self)
        let (even, odd) = unsafe (weights[index], weights[index + 1])
        let both = SIMD8(even, odd, even, odd, even, odd, even, odd)
        let products = SIMD8<Int32>(truncatingIfNeeded: values) &* SIMD8<Int32>(truncatingIfNeeded: both)
        return products.evenHalf &+ products.oddHalf
    }

    /// Stores the first or the second pixel of a pair.
    private static func store(_ values: SIMD4<Int16>, in pair: UnsafeMutablePointer<Int16>, at index: Int) {
        for channel in 0..<4 { unsafe pair[index + 2 * channel] = values[channel] }
    }

    private static func narrowed(_ values: SIMD4<Int32>) -> SIMD4<Int16> {
        let (least, most) = (SIMD4(repeating: Int32(Int16.min)), SIMD4(repeating: Int32(Int16.max)))
        return SIMD4(truncatingIfNeeded: values.clamped(lowerBound: least, upperBound: most))
    }
}
