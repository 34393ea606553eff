@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

struct ByteLimitTests {
    /// Writes a number of zeros that depends on the quality alone.
    private struct SizedCoder: EncodingImageCoder {
        let formats = [ImageFormat.plain]
        var observesByteLimit = false
        let count: @Sendable (_ percent: Double) -> Int
        let qualities = Recorder<Double?>()

        func info(of request: InfoRequest) throws -> ImageInfo { try PlainCoder().info(of: request) }
        func decode(_ request: DecodeRequest) throws -> Bitmap { try PlainCoder().decode(request) }
        func observesByteLimit(of format: ImageFormat) -> Bool { observesByteLimit }
        func encode(_ request: EncodeRequest) throws -> Data {
            qualities.note(request.context.quality)
            if let number = request.context.encoderQuality { return Data(count: Int(number)) }
            return Data(count: count(request.quality * 100))
        }
    }

    private static let image = Image(
        info: ImageInfo(format: .plain, storedSize: PixelSize(1, 1)), bitmap: Bitmap(1, 1) { _, _ in .white })

    /// Curves unlike each other: fixed costs, steps, and growth from slow to explosive.
    private static let curves: [@Sendable (Double) -> Int] = [
        { Int(20 * $0) + 600 }, { Int((0..<Int($0)).reduce(400) { size, _ in size * 1.05 }) },
        { 5000 + Int($0 * $0 * $0 / 50) },
        { $0 < 90 ? Int(30 * $0) + 100 : Int(45 * $0) }, { Int($0) / 10 * 500 + 100 }, { Int(1e6 / (101 - $0)) },
    ]

    private func encode(_ coder: SizedCoder, _ change: (inout ImageContext) -> Void) throws -> Data {
        try CoderRegistry([coder]).encode(Self.image, as: .plain, context: ImageContext(change))
    }

    @Test(arguments: curves.indices)
    func qualityIsNearlyTheHighestWithinTheLimit(_ index: Int) throws {
        let count = Self.curves[index]
        for percent in stride(from: 1.0, through: 100, by: 3) {
            let (coder, bound) = (SizedCoder(count: count), count(percent) + 1)
            let data = try encode(coder) { $0.encodedByteLimit = bound }
            #expect(data.count <= bound && coder.qualities.values.count <= 6)
            let next = count(min(percent + 1, 100))
            #expect(Double(data.count) > 0.75 * Double(bound) || data.count == count(percent) || next < bound)
        }
    }

    @Test func qualityOfTheContextIsNotExceeded() throws {
        let coder = SizedCoder { Int(100 * $0) }
        #expect(try encode(coder) { ($0.quality, $0.encodedByteLimit) = (0.6, 9000) }.count == 6000)
        #expect(coder.qualities.values == [0.6])
        let smaller = try encode(coder) { ($0.quality, $0.encodedByteLimit) = (0.6, 3000) }.count
        #expect((2900...3000).contains(smaller))
        #expect(try encode(coder) { ($0.encoderQuality, $0.encodedByteLimit) = (2000, 3000) }.count == 2000)
        #expect(
            try (2900...3000).contains(encode(coder) { ($0.encoderQuality, $0.encodedByteLimit) = (4000, 3000) }.count))
    }

    @Test(arguments: [nil, 0, 0.005, 0.8, 1], [-1, 0, 99])
    func lowestQualityIsWrittenIfNoneIsWithinTheLimit(_ quality: Double?, _ bound: Int) throws {
        let coder = SizedCoder { Int(100 * $0) + 100 }
        let data = try encode(coder) { ($0.quality, $0.encodedByteLimit) = (quality, bound) }
        #expect(data.count == Int(100 * min((quality ?? 1) * 100, 1)) + 100)
        #expect(coder.qualities.values.count <= 6)
    }

    /// A coder of lossless files need not say that it is one.
    @Test func qualityWithoutEffectIsTriedThreeTimes() throws {
        let coder = SizedCoder { _ in 500 }
        #expect(try encode(coder) { $0.encodedByteLimit = 100 }.count == 500)
        #expect(coder.qualities.values.count == 3)
    }

    @Test func coderThatObservesTheLimitIsCalledOnce() throws {
        let coder = SizedCoder(observesByteLimit: true) { _ in 500 }
        #expect(try encode(coder) { $0.encodedByteLimit = 100 }.count == 500)
        #expect(coder.qualities.values == [nil])
    }

    @Test func searchEndsWhenItIsCancelled() {
        let flag = CancellationFlag()
        let coder = SizedCoder { percent in
            flag.set()
            return Int(percent * 100)
        }
        let error = #expect(throws: ImageError.self) {
            try CoderRegistry([coder]).encode(
                Self.image, as: .plain, context: ImageContext { $0.encodedByteLimit = 100 }, cancellation: flag)
        }
        #expect(error?.kind == .cancelled && coder.qualities.values.count == 1)
    }
}
