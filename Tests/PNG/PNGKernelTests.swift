import CPNG
import DarkroomTestKit
import TestSupport
import Testing

/// Compares the processor-specific kernels with the portable ones.
struct PNGKernelTests {
    @Test(arguments: [1, 2, 3, 4, 6, 8], 0...4)
    func fastAndPortableUnfilteringAgree(_ step: Int, _ filter: Int32) {
        var random = SeededGenerator(seed: UInt64(step * 8) + UInt64(filter))
        for width in 1...40 {
            let count = step * width
            let (source, above) = (bytes(count + 8, &random), bytes(count + 8, &random))
            var (row, portable) = ([UInt8](repeating: 0, count: count + 8), [UInt8](repeating: 0, count: count + 8))
            unsafe cpng_unfilter(filter, step, &row, source, above, count)
            unsafe cpng_unfilter_portable(filter, step, &portable, source, above, count)
            #expect(row.prefix(count) == portable.prefix(count))
        }
    }

    @Test(arguments: [1, 2, 3, 4])
    func fastAndPortableFilteringAgreeAndAreReversible(_ step: Int) {
        var random = SeededGenerator(seed: UInt64(step))
        for width in 1...60 {
            let count = step * width
            let zeros = [UInt8](repeating: 0, count: step)
            let above = zeros + bytes(count, &random)
            // Some rows resemble the one above.
            let row = width % 3 == 0 ? zeros + above.dropFirst(step).map { $0 &+ 1 } : zeros + bytes(count, &random)
            var (filtered, portable) = (
                [UInt8](repeating: 0, count: count + 1), [UInt8](repeating: 0, count: count + 1)
            )
            unsafe row.withUnsafeBufferPointer { row in
                unsafe above.withUnsafeBufferPointer { above in
                    unsafe cpng_filter(step, &filtered, row.baseAddress! + step, above.baseAddress! + step, count)
                    unsafe cpng_filter_portable(
                        step, &portable, row.baseAddress! + step, above.baseAddress! + step, count)
                }
            }
            #expect(filtered == portable)
            var back = [UInt8](repeating: 0, count: count)
            unsafe cpng_unfilter_portable(
                Int32(filtered[0]), step, &back, Array(filtered.dropFirst()), Array(above.dropFirst(step)), count)
            #expect(back[...] == row.dropFirst(step))
        }
    }

    @Test func opaquePixelsGetAlpha() {
        var random = SeededGenerator(seed: 1)
        for count in 0...40 {
            let rgb = bytes(3 * count, &random)
            var rgba = [UInt8](repeating: 0, count: 4 * count)
            unsafe cpng_add_alpha(&rgba, rgb, count)
            let expected = (0..<count).flatMap { x -> [UInt8] in Array(rgb[(3 * x)..<(3 * x + 3)]) + [255] }
            #expect(rgba == expected)
        }
    }

    private func bytes(_ count: Int, _ random: inout SeededGenerator) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
    }
}
