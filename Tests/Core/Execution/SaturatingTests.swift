import DarkroomPlatform
import Testing

@testable import DarkroomCore

@Suite(.bug(id: "Fix traps on numbers that are not in the range of integers"))
struct SaturatingTests {
    @Test(arguments: [
        (Double.nan, 0), (.infinity, Int.max), (-.infinity, .min), (0x1p63, .max), (-0x1p63, .min), (0x1p64, .max),
        (-0.5, 0), (1.9, 1), (-1.9, -1), (0x1p53, 1 << 53), (1e300, .max), (-1e300, .min),
    ])
    func numbersOutOfRangeBecomeTheNearestInteger(number: Double, integer: Int) {
        #expect(Int(saturating: number) == integer)
        #expect(UInt8(saturating: number) == UInt8(clamping: integer))
        #expect(Int16(saturating: number) == Int16(clamping: integer))
        #expect(UInt64(saturating: number) == (number >= 0x1p64 ? .max : number > 0 ? UInt64(number) : 0))
    }

    /// The range of nanoseconds ends in 2262.
    @Test func momentsAreDistinctAfterTheEndOfTheirRange() {
        let dates = [
            Date.distantPast, Date(timeIntervalSince1970: 1e10), .distantFuture, Date(timeIntervalSince1970: .nan),
        ]
        let times = dates.map { LoadMoment.time(of: $0) }
        #expect(times[0] < 0 && times[1] == times[2] && times[3] == 0)
        #expect(Int64.max - times[1] > 1_000_000_000_000, "there is room for later moments")
    }
}
