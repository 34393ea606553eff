#if arch(x86_64)
    internal import CPixels
#endif

/// Single-precision kernels on premultiplied linear light: red, green and blue times alpha, and alpha.
///
/// The order of operations is fixed and none are fused, so that all paths round alike.
struct PremultipliedKernels {
    let path: ResamplingPath

    /// Adds to each sum the mean of the next `group` pixels, or of the remaining ones, divided by `rowCount` for the
    /// mean over that many rows.
    func addGroups(
        of group: Int, from products: UnsafePointer<Float>, count: Int, rowCount: Int,
        to sums: UnsafeMutablePointer<Float>
    ) {
        #if arch(x86_64)
            if path != .portable {
                return unsafe darkroom_add_product_groups_avx2(products, count, group, rowCount, sums)
            }
        #endif
        for (index, first) in stride(from: 0, to: count, by: group).enumerated() {
            var sum = SIMD4<Float>.zero
            let end = min(first + group, count)
            for x in first..<end { unsafe sum += Self.load(products + 4 * x) }
            let scale = 1 / Float((end - first) * rowCount)
            unsafe Self.store(Self.load(sums + 4 * index) + sum * scale, at: sums + 4 * index)
        }
    }

    /// Resizes four rows into those of `output`.
    func resize(_ rows: RowBuffer<Float>, by weights: ResamplingWeights<Float>, to output: OutputRows<Float>) {
        #if arch(x86_64)
            if path != .portable {
                return unsafe darkroom_resize_products_avx2(
                    rows.start, rows.stride, weights.starts, weights.weights, weights.taps, weights.starts.count,
                    output.start, output.stride)
            }
        #endif
        unsafe weights.weights.withUnsafeBufferPointer { table in
            for (x, start) in weights.starts.enumerated() {
                for row in 0..<ResamplingPlan.rowsAtOnce {
                    let products = unsafe rows.row(row) + 4 * Int(start)
                    var (even, odd) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
                    for tap in stride(from: 0, to: weights.taps, by: 2) {
                        unsafe even += Self.load(products + 4 * tap) * table[x * weights.taps + tap]
                        unsafe odd += Self.load(products + 4 * tap + 4) * table[x * weights.taps + tap + 1]
                    }
                    unsafe Self.store(even + odd, at: output.start + row * output.stride + 4 * x)
                }
            }
        }
    }

    /// Writes a row of `count` premultiplied pixels: the sum of the resized rows of `window`, times `weights`.
    func blend(
        _ window: RingWindow<Float>, by weights: ArraySlice<Float>, count: Int,
        to products: UnsafeMutablePointer<Float>
    ) {
        unsafe weights.withUnsafeBufferPointer { row in
            #if arch(x86_64)
                if path != .portable {
                    return unsafe darkroom_blend_products_avx2(
                        window.rows.start, window.rows.stride, window.rowCount, window.first, row.baseAddress,
                        row.count, count, products)
                }
            #endif
            for x in 0..<count {
                var sum = SIMD4<Float>.zero
                for tap in row.indices {
                    unsafe sum += Self.load(window.row(tap) + 4 * x) * row[tap]
                }
                unsafe Self.store(sum, at: products + 4 * x)
            }
        }
    }

    private static func load(_ product: UnsafePointer<Float>) -> SIMD4<Float> {
        unsafe UnsafeRawPointer(product).loadUnaligned(as: SIMD4<Float>.self)
    }

    private static func store(_ product: SIMD4<Float>, at destination: UnsafeMutablePointer<Float>) {
        unsafe UnsafeMutableRawPointer(destination).storeBytes(of: product, as: SIMD4<Float>.self)
    }
}
