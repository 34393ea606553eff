import Darkroom
import Foundation
import Testing

@testable import DarkroomCommand

struct SummaryTests {
    private let still = ImageInfo(format: .png, storedSize: PixelSize(4, 3))

    @Test(
        arguments: [
            ([], "0 images"), ([(nil, nil)], "1 image"), ([(nil, 5), (9, 1000)], "2 images, 1.0 kB → 9 B (1 %)"),
            ([(nil, 2000), (3000, 1000), (1500, 8000)], "3 images, 9.0 kB → 4.5 kB (50 %)"),
            ([(3000, nil), (3, 5)], "2 images, 3.0 kB"),
            ([(3000, 8000), (1500, 10_000)], "2 images, 18.0 kB → 4.5 kB (25 %)"),
        ] as [([(written: Int?, source: Int?)], String)])
    func totalsCountOnlyWhatIsWritten(images: [(written: Int?, source: Int?)], words: String) {
        var summary = LoadSummary()
        for (written, source) in images {
            let image = LoadedImage(
                key: nil, format: .png, size: PixelSize(1, 1), frameCount: 1, origin: .local, byteCount: written,
                sourceByteCount: source, output: written.map { _ in "a.png" }, notes: [],
                report: LoadReport(decision: .missing))
            summary.add(LoadOutcome(index: 0, result: .success(image), duration: .zero))
        }
        #expect(summary.description == words)
        summary.add(LoadOutcome(index: 0, result: .failure(.cancelled), duration: .zero))
        #expect(summary.description.contains(", 1 failed"))
    }

    @Test func plainStillHasNoRemarks() {
        #expect(still.remarks.isEmpty)
        #expect(still.totalDuration == .zero)
    }

    @Test(arguments: [
        ([0.1, 0.1, 0.1], 0, "3 frames in 0.3 s, 0.1 s each, for ever"),
        ([0.1, 0.25], 1, "2 frames in 0.35 s, 0.1 s to 0.25 s each, once"),
        ([1, 2], 7, "2 frames in 3 s, 1 s to 2 s each, 7 times"),
    ])
    func animationsAreDescribed(durations: [Double], loopCount: Int, words: String) {
        var info = still
        (info.frameDurations, info.frameCount, info.loopCount) = (
            durations.map { .seconds($0) }, durations.count, loopCount
        )
        #expect(info.remarks == [words])
    }

    @Test(arguments: [
        (999, "999 B"), (4_100, "4.1 kB"), (2_345_678, "2.3 MB"), (1 << 30, "1.0 GB"), (12_600_000_000, "12.6 GB"),
    ])
    func byteCountsUseTheBestUnit(count: Int, words: String) {
        #expect(count.asByteCount == words)
    }

    @Test func rotatedImagesAreDescribedWithTheStoredSize() {
        var info = still
        info.orientation = .right
        #expect(info.remarks == ["orientation 6, stored 4×3"])
    }

    @Test func calibrationIsDescribed() {
        var calibration = Calibration(exponent: 1 / 0.45455)
        #expect(calibration.summary == "gamma 2.2, primaries of sRGB")
        calibration.green = .init(x: 0.21, y: 0.71)
        #expect(calibration.primaries == "Adobe RGB")
        calibration.green = .init(x: 0.5, y: 0.25)
        #expect(calibration.primaries == "white 0.313,0.329 red 0.64,0.33 green 0.5,0.25 blue 0.15,0.06")
    }

    @Test func exifIsDescribed() {
        let entries: [[UInt8]] = [
            [0x32, 0x01, 2, 0, 20, 0, 0, 0, 38, 0, 0, 0], [0x25, 0x88, 4, 0, 1, 0, 0, 0, 58, 0, 0, 0],
        ]
        let place: [UInt8] = [1, 0, 0, 0, 1, 0, 4, 0, 0, 0, 2, 3, 0, 0, 0, 0, 0, 0]
        let bytes = Array("II".utf8) + [42, 0, 8, 0, 0, 0, 2, 0] + entries.joined() + [0, 0, 0, 0]
        var info = still
        info.exif = Exif(Data(bytes + Array("2026:11:21 14:30:00\0".utf8) + place))
        #expect(info.remarks == ["Exif of 76 B", "taken 2026-11-21 14:30:00", "with location"])
    }
}
