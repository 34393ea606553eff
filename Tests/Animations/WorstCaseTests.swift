@testable import DarkroomCore
import DarkroomGIF
import DarkroomJPEG
import DarkroomPNG
import DarkroomTestKit
import DarkroomWebP
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

/// A short run of `Scripts/torture`, which uses files of 64 MiB.
@Suite struct WorstCaseTests {
    private static let coders: [any ImageCoder] = [JPEGCoder(), PNGCoder(), GIFCoder(), WebPCoder()]
    private static let cases = [ImageFormat.jpeg, .png, .gif, .webp].flatMap { format in
        WorstCase.all(of: format).filter { !$0.isLarge }
    }

    /// The cases with many parts, and the limit that each exceeds.
    private static let partLimits: [(name: String, limit: String)] =
        [
            "JPEG of empty segments", "JPEG of markers without segments", "JPEG of restart markers",
            "JPEG of broken profile parts", "JPEG of Exif without entries", "JPEG of tables", "PNG of empty text",
            "PNG of gammas", "PNG of empty Exif", "PNG of broken profiles", "GIF of empty extensions",
            "GIF of empty controls", "GIF of controls", "GIF of loop counts", "WebP of empty chunks",
            "WebP of empty Exif", "WebP of empty profiles", "WebP of loop counts",
            "WebP of frames that are no animation",
        ].map { ($0, "segmentCount") }
        + [
            "PNG of frames of one pixel", "GIF of frames without pixels", "GIF of frames without data",
            "GIF of frames with local colour tables", "WebP of frames",
        ].map { ($0, "frameCount") }

    private let registry = CoderRegistry(Self.coders)

    @Test(
        .bug(id: "14.2"),
        arguments: partLimits)
    func fileWithTooManyPartsExceedsALimit(_ name: String, _ limit: String) throws {
        let worst = try #require(Self.cases.first { $0.name == name })
        var limits = DecodeLimits()
        (limits.segmentCount, limits.frameCount) = (100, 20)
        let data = worst.data(byteCount: 30_000)
        let error = #expect(throws: ImageError.self) { try registry.info(of: data, limits: limits) }
        #expect(error?.kind == .overLimit)
        #expect(error?.message.hasPrefix("\(limit) is ") == true, "\(error?.message ?? "no error")")
    }

    @Test(arguments: cases.map(\.name))
    func worstCaseResultsInAnImageOrAnError(_ name: String) throws {
        let worst = try #require(Self.cases.first { $0.name == name })
        var slice = 0
        let outcome = CoderTrial(registry).run([UInt8](worst.data(byteCount: 60_000))) {
            slice = slice % 5_000 + 997
            return slice
        }
        if case .failed(let sentence) = outcome { Issue.record("\(sentence)") }
    }

    @Test(
        .bug(id: "14.2"),
        arguments: [
            "JPEG of tables", "PNG of empty pixels", "GIF of controls", "GIF of a comment byte by byte",
            "WebP of empty chunks",
        ])
    func headerParsingStopsWhenCancelledOrOutOfTime(_ name: String) throws {
        let worst = try #require(Self.cases.first { $0.name == name })
        let data = worst.data(byteCount: 30_000)
        let coder = try registry.coder(for: data)
        let flag = CancellationFlag()
        flag.set()
        let left = #expect(throws: ImageError.self) {
            try coder.info(of: InfoRequest(data: data, cancellation: flag))
        }
        #expect(left?.kind == .cancelled)
        let late = #expect(throws: ImageError.self) {
            try coder.info(of: InfoRequest(data: data, clock: WorkClock(limit: .seconds(0))))
        }
        #expect(late?.kind == .overLimit && late?.message.contains("workTime") == true)
    }

    @Test(arguments: ["jpeg-icc.jpg", "png-palette-8-trns.png", "gif-animated.gif", "webp-animated.webp"])
    func decodeReusesTheParsedHeader(_ name: String) throws {
        let data = Fixture(name).data
        let coder = try registry.coder(for: data)
        let source = InfoRequest(data: data)
        _ = try coder.info(of: source)
        #expect(source.outline.value.withLock { $0 != nil })
    }

    @Test(
        .bug(id: "14.4b"),
        arguments: [ImageFormat.jpeg, .png, .gif, .webp])
    func encoderStopsWhenTheFileIsTooLarge(_ format: ImageFormat) throws {
        let encoder = try #require(registry.encoder(for: format))
        let still = Image(info: ImageInfo(format: format, storedSize: PixelSize(60, 50)), bitmap: .testCard(60, 50))
        let frames = (0..<4).map { Frame(.testCard(60, 50, number: $0), duration: .milliseconds(100)) }
        let animation = Image(frames: frames, format: format)
        func encode(_ image: Image, bound: Int) throws -> Data {
            let context = ImageContext {
                $0.limits.outputByteCount = bound
                // Under a sanitizer, a GIF file can take more than the standard 10 s.
                $0.limits.workTime = .seconds(600)
            }
            return try encoder.encode(EncodeRequest(image: image, format: format, context: context))
        }
        for image in [still, animation].compactMap(\.self) where format != .jpeg || image.animation == nil {
            let whole = try encode(image, bound: .max)
            for bound in [10, whole.count / 2, whole.count - 1] {
                let error = #expect(throws: ImageError.self) { try encode(image, bound: bound) }
                #expect(error?.kind == .overLimit && error?.stage == .encode)
                #expect(error?.message.contains("context.limits.outputByteCount") == true)
            }
            #expect(try encode(image, bound: whole.count) == whole)
        }
    }

    @Test(
        .bug(id: "14.4b"),
        arguments: [ImageFormat.jpeg, .png, .gif, .webp])
    func encoderStopsWhenOutOfTime(_ format: ImageFormat) throws {
        let still = Image(info: ImageInfo(format: format, storedSize: PixelSize(60, 50)), bitmap: .testCard(60, 50))
        let clock = WorkClock(limit: .seconds(10))
        clock.add(timeSpent: .seconds(11))
        let error = #expect(throws: ImageError.self) { try registry.encode(still, as: format, clock: clock) }
        #expect(error?.kind == .overLimit && error?.stage == .encode)
        #expect(error?.message.contains("workTime") == true)
    }
}
