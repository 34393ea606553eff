import DarkroomCore
import Testing

struct CalibrationTests {
    /// The rows of tables 2 and 3 of H.273 with a meaning for RGB of standard dynamic range.
    private static let primaries = [1, 4, 5, 6, 7, 9, 11, 12, 22]
    private static let transfers = [1, 4, 5, 6, 8, 13, 14, 15]

    @Test func codePointsOfStandardDynamicRangeAreColorSpaces() {
        for primaries in -1...256 {
            for transfer in -1...256 {
                let isKnown = Self.primaries.contains(primaries) && Self.transfers.contains(transfer)
                #expect((Calibration(primaries: primaries, transfer: transfer) != nil) == isKnown)
            }
        }
    }

    @Test(arguments: [(1, 13), (2, 2), (1, 1), (0, 16), (1, 18), (2, 13), (255, 1)])
    func unspecifiedCodePointsOfHEIFAreSRGB(_ primaries: Int, _ transfer: Int) {
        #expect(Calibration.ofHEIF(primaries: primaries, transfer: transfer) == nil)
    }

    @Test(arguments: [1, 2, 13, 16, 18])
    func otherPrimariesOfHEIFHaveTheCurveOfSRGB(_ transfer: Int) {
        #expect(Calibration.ofHEIF(primaries: 12, transfer: transfer) == Calibration(primaries: 12, transfer: 13))
        #expect(Calibration.ofHEIF(primaries: 2, transfer: 8) == Calibration(exponent: 1))
    }
}
