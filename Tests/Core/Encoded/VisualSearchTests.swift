import DarkroomTestKit
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import DarkroomCore

/// A lossy coder whose files are only their percentage of quality.
private struct PercentCoder: EncodingImageCoder {
    static let format = ImageFormat(
        identifier: "percent", mimeType: "image/x-percent", fileExtension: "percent", signatures: ["percent!"])
    let encodes: Recorder<Int>

    var formats: [ImageFormat] { [Self.format] }

    func info(of request: InfoRequest) throws -> ImageInfo {
        ImageInfo(format: Self.format, storedSize: PixelSize(4, 4))
    }

    func decode(_ request: DecodeRequest) throws -> Bitmap { Self.bitmap(percent: request.data.last ?? 0) }

    func encode(_ request: EncodeRequest) throws -> Data {
        let percent = Int((request.quality * 100).rounded())
        encodes.note(percent)
        return Data("percent!".utf8) + Data(repeating: UInt8(percent), count: percent + 1)
    }

    static func bitmap(percent: UInt8) -> Bitmap {
        Bitmap(4, 4) { _, _ in Color(red: percent, green: 0, blue: 0) }
    }
}

/// A metric that returns the score of a curve for the percentage of quality.
private struct CurveComparator: ImageComparator {
    let curve: @Sendable (Int) -> Double

    func score(of image: Bitmap, reference: Bitmap, checkCancellation: () throws -> Void) throws -> Double {
        try checkCancellation()
        return curve(Int(image.withPixels { $0[0] }))
    }

    func byteCount(for size: PixelSize) -> Int { 0 }
}

struct VisualSearchTests {
    /// The curves by name: an encoder may do anything.
    private static let curves: [(name: String, curve: @Sendable (Int) -> Double)] = [
        ("easy", { 100 - QualityCurve.lack(at: $0) * 0.6 }),
        ("median", { 100 - QualityCurve.lack(at: $0) }),
        ("hard", { 100 - QualityCurve.lack(at: $0) * 1.8 }),
        ("linear", { Double($0) }),
        ("step", { $0 < 57 ? 20 : 99 }),
        ("constant and bad", { _ in 12 }),
        ("constant and good", { _ in 99.5 }),
        ("falling", { 100 - Double($0) }),
        ("hill", { 95 - abs(Double($0) - 40) }),
        ("waves", { Double($0) + Double($0 % 7) * 4 - 12 }),
        ("late", { $0 == 100 ? 99 : 3 }),
        ("not finite", { $0 % 2 == 0 ? .nan : -.infinity }),
    ]

    @Test(arguments: curves.indices, [0, 30, 50, 70, 80, 90, 100.0])
    func anyCurveEndsInFourEncodesWithTheBestOfThem(_ index: Int, target: Double) throws {
        let (name, curve) = Self.curves[index]
        let encodes = Recorder<Int>()
        var coders = CoderRegistry([PercentCoder(encodes: encodes)])
        coders.comparator = CurveComparator(curve: curve)
        let image = try #require(Image(frames: [Frame(PercentCoder.bitmap(percent: 0), duration: .zero)]))
        let context = ImageContext { $0.visualTarget = .score(target) }
        let (data, quality) = try coders.file(
            of: image, as: PercentCoder.format, context: context, cancellation: nil, clock: nil)
        let chosen = try #require(quality)
        let percent = Int((chosen.quality * 100).rounded())
        let tried = encodes.values
        #expect((1...4).contains(tried.count) && Set(tried).count == tried.count, "\(name): \(tried)")
        #expect(chosen.encodeCount == tried.count && data.count == percent + 9 && tried.contains(percent))
        guard curve(100) >= target else { return }
        #expect(chosen.score >= target && percent == tried.filter { curve($0) >= target }.min(), "\(name): \(tried)")
    }

    @Test(arguments: [50, 60, 70, 75, 80, 85, 90.0], [0.7, 0.85, 1, 1.15, 1.3])
    func photographNeedsTwoEncodesAndHasLittleMoreThanTheTarget(_ target: Double, hardness: Double) throws {
        var search = VisualSearch(target)
        func score(_ percent: Int) -> Double { 100 - hardness * QualityCurve.lack(at: percent) }
        while let percent = search.next {
            search.add(.init(percent: percent, score: score(percent), byteCount: percent))
        }
        let best = try #require(search.best)
        #expect(search.trials.count <= 2 && best.score >= target)
        // Otherwise, a step in the curve is between this and the quality below.
        #expect(best.score < target + 3.5 || score(best.percent - 1) < target)
    }

    /// Encoders have fewer numbers than there are qualities, and some write a lossless file at the highest one.
    @Test(arguments: [(88.0, 100, 4), (97, nil, 2)] as [(Double, Int?, Int)])
    func equalFilesEndTheSearchOnlyIfTheyAreGoodEnough(score: Double, percent: Int?, count: Int) {
        var search = VisualSearch(90)
        while let percent = search.next {
            let isBest = percent == 100
            search.add(.init(percent: percent, score: isBest ? 100 : score, byteCount: isBest ? 900 : 50))
        }
        #expect(search.best?.percent == percent ?? search.trials.map(\.percent).min())
        #expect(search.trials.count == count, "\(search.trials)")
    }

    @Test func cautiousSearchDoesNotGoBelowTheExpectedQuality() {
        var search = VisualSearch(70, isCautious: true)
        let expected = search.next
        while let percent = search.next { search.add(.init(percent: percent, score: 100, byteCount: 1)) }
        #expect(search.trials.map(\.percent) == [expected])
    }

    @Test func reportOfAFileHasTheChosenQuality() async throws {
        let manager = try ImageManager {
            $0.install(FakeLoader(Darkbox.file))
            $0.coders.register(PlainCoder())
            $0.coders.register(PercentCoder(encodes: Recorder()))
            $0.coders.comparator = CurveComparator { Double($0) }
        }
        let context = ImageContext {
            $0.visualTarget = .score(81)
            $0.thumbnail = .stretch(4, 4)
        }
        let url = try #require(URL(string: "https://example.com/a.plain"))
        let report = try await manager.encoded(url, context: context, as: PercentCoder.format).report
        let chosen = try #require(report.chosenQuality)
        #expect(chosen.score >= 81 && chosen.quality == chosen.score / 100)
        #expect(report.stages.last { $0.step == .encode }?.detail == "\(chosen)")
        #expect("\(ChosenQuality(quality: 0.76, score: 80.94, encodeCount: 2))" == "quality 76, score 80.9, 2 encodes")
    }
}
