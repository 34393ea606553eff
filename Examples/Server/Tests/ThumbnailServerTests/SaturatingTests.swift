import Darkroom
import Testing

@testable import ThumbnailServer

@Suite(.bug(id: "Fix traps on numbers that are not in the range of integers"))
struct SaturatingTests {
    @Test(arguments: [
        (Double.nan, 0), (.infinity, Int.max), (-.infinity, .min), (0x1p63, .max), (-0x1p63, .min), (0x1p64, .max),
        (-0.5, 0),
        (1.9, 1), (-1.9, -1), (9_007_199_254_740_992, 9_007_199_254_740_992), (1e300, .max), (-1e300, .min),
    ])
    func numbersOutOfRangeBecomeTheNearestInteger(number: Double, integer: Int) {
        #expect(Int(saturating: number) == integer)
        #expect(UInt8(saturating: number) == UInt8(clamping: integer))
        #expect(Int64(saturating: number) == Int64(integer))
    }

    @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.min), .milliseconds(12500), .zero])
    func cacheStatusOfAnyTimeHasAField(timeLeft: Duration) {
        let field = CacheStatus.hit(timeLeft: timeLeft, isShared: false).field
        #expect(field.hasPrefix("darkroom; hit; ttl="))
    }
}
