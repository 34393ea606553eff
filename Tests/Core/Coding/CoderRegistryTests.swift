@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

struct CoderRegistryTests {
    private let bitmap = Bitmap(12, 8) { x, y in Color(red: UInt8(x * 20), green: UInt8(y * 30), blue: 99) }

    @Test func lastRegisteredCoderIsPreferred() throws {
        let asked = Recorder<String>()
        var registry = CoderRegistry([PlainCoder { _ in asked.note("first") }])
        registry.register(PlainCoder { _ in asked.note("last") })
        _ = try registry.decode(PlainCoder.file(of: bitmap))
        #expect(asked.values == ["last"])
        registry.remove { _ in true }
        #expect(registry.coders.isEmpty)
    }

    @Test func coderOfAFormatWithoutSignatureIsAskedLast() throws {
        struct Guessing: ImageCoder {
            let formats = [
                ImageFormat(
                    identifier: "com.example.any", mimeType: "image/x-any", fileExtension: "any", signatures: [])
            ]
            func canDecode(_ data: Data) -> Bool { !data.isEmpty }
            func info(of request: InfoRequest) -> ImageInfo {
                ImageInfo(format: formats[0], storedSize: PixelSize(1, 1))
            }
            func decode(_ request: DecodeRequest) throws -> Bitmap {
                try Bitmap(PixelSize(1, 1), bytes: [0, 0, 0, 255], hasAlpha: false)
            }
        }
        let registry = CoderRegistry([PlainCoder(), Guessing()])
        #expect(try registry.decode(PlainCoder.file(of: bitmap)).info.format == .plain)
        #expect(try registry.decode(Data([1, 2, 3])).size == PixelSize(1, 1))
    }

    /// A thread of the cooperative pool must not wait for another process.
    @Test func anotherProcessIsAskedOnAThreadOfItsOwn() async throws {
        struct SlowHost: CoderHost {
            let tasks = Recorder<Bool>()

            func hosted(_ coders: [any ImageCoder]) -> [any ImageCoder] { coders }
            func coder(for data: Data, among coders: [any ImageCoder]) -> (any ImageCoder)? {
                tasks.note(unsafe withUnsafeCurrentTask { unsafe $0 != nil })
                return coders.last
            }
            func recognizes(_ data: Data, among coders: [any ImageCoder]) -> Bool { false }
            func validate(_ coders: [any ImageCoder]) {}
        }
        let (host, file) = (SlowHost(), PlainCoder.file(of: bitmap))
        let manager = try ImageManager {
            $0.install(FakeLoader(file))
            $0.install(PlainCoder())
            $0.coders.host = host
            $0.imageCache = FakeImageCache()
        }
        let url = try #require(URL(string: "http://example.com/a"))
        let image = try await manager.load(url).image
        _ = try await manager.data(url)
        try await manager.store(image, for: url, encoded: file)
        #expect(host.tasks.values.count >= 3 && !host.tasks.values.contains(true))
    }

    @Test func formatsWithoutACoderAreNamed() {
        let error = #expect(throws: ImageError.self) { try CoderRegistry().decode(Data("GIF89a…".utf8)) }
        #expect(error?.kind == .noCoder)
        #expect(error?.message == "no coder for gif is installed")
        #expect(throws: ImageError.self) { try CoderRegistry().decode(Data()) }
    }

    @Test func coreResizesIfTheCoderIgnoresTheTarget() throws {
        let registry = CoderRegistry([PlainCoder()])
        let image = try registry.decode(
            PlainCoder.file(of: bitmap), context: ImageContext { $0.thumbnail = .fit(6, 6) })
        #expect(image.size == PixelSize(6, 4))
        #expect(image.info.size == bitmap.size)
        #expect(image.bitmap == (try bitmap.resized(to: PixelSize(6, 4))))
        #expect(image.metadata.thumbnail == .fit(6, 6))
    }

    @Test(arguments: [
        (4 * 24, PixelSize(6, 4)), (1, PixelSize(1, 1)), (4 * 12 * 8, PixelSize(12, 8)), (1 << 40, PixelSize(12, 8)),
    ])
    func byteLimitScalesDown(byteCount: Int, size: PixelSize) throws {
        let registry = CoderRegistry([PlainCoder()])
        let context = ImageContext {
            $0.scaleDownByteCount = byteCount
            $0.thumbnail = .fit(2, 2)
        }
        #expect(try registry.decode(PlainCoder.file(of: bitmap), context: context).size == size)
    }

    /// SDWebImage's sizes for a number of bytes.
    @Test(arguments: [
        (PixelSize(3000, 1500), 4_000_000, 1, PixelSize(1414, 707)),
        (PixelSize(640, 480), 1_048_576, 10, PixelSize(186, 140)),
        (PixelSize(640, 480), 1, 10, PixelSize(1, 1)),
    ])
    func byteLimitFollowsTheRule(size: PixelSize, byteCount: Int, frameCount: Int, result: PixelSize) {
        #expect(size.scaled(toByteCount: byteCount, frameCount: frameCount) == result)
    }

    @Test func limitsApplyBeforeTheCoderDecodes() {
        let registry = CoderRegistry([PlainCoder { _ in Issue.record("it decoded") }])
        let context = ImageContext { $0.limits.pixelCount = 95 }
        let error = #expect(throws: ImageError.self) {
            try registry.decode(PlainCoder.file(of: bitmap), context: context)
        }
        #expect(error?.kind == .overLimit)
        #expect(error?.message == "pixelCount is 96, and the limit is 95; raise it with context.limits.pixelCount")
    }

    @Test func pluginErrorsBecomeImageErrors() {
        struct Odd: Error {}
        let registry = CoderRegistry([PlainCoder { _ in throw Odd() }])
        let error = #expect(throws: ImageError.self) { try registry.decode(PlainCoder.file(of: bitmap)) }
        #expect(error?.stage == .decode)
        #expect(error?.underlying is Odd)
    }

    @Test func formatsWithoutAnEncoderAreUnsupported() {
        let image = Image(info: ImageInfo(format: .plain, storedSize: bitmap.size), bitmap: bitmap)
        let error = #expect(throws: ImageError.self) { try CoderRegistry([PlainCoder()]).encode(image, as: .png) }
        #expect(error?.kind == .unsupported)
    }

    @Test func plainCoderMeetsTheContract() throws {
        let contract = CoderContract(PlainCoder())
        let file = PlainCoder.file(of: bitmap)
        try contract.checkSignature(file)
        try contract.checkInfo(file)
        try contract.checkPrefixes(file)
        try contract.checkLimits(file)
        try contract.checkTargets(file)
        try contract.checkRoundTrip(bitmap, as: .plain)
        try contract.checkFrames(file)
        for byteCount in [1, 7, 1000] { try contract.checkPreviews(file, chunkByteCount: byteCount) }
    }

    @Test func defaultFormatIsThatOfTheImage() throws {
        let image = try CoderRegistry([PlainCoder()]).decode(PlainCoder.file(of: bitmap))
        #expect(try CoderRegistry([PlainCoder()]).encode(image) == PlainCoder.file(of: bitmap))
        let error = #expect(throws: ImageError.self) { try CoderRegistry().encode(image) }
        #expect(error?.message.contains("jpeg") == true)
    }

    @Test func scaleOfTheContextIsMetadata() throws {
        let context = ImageContext { $0.scale = 2 }
        let image = try CoderRegistry([PlainCoder()]).decode(PlainCoder.file(of: bitmap), context: context)
        #expect(image.metadata.scale == 2 && image.size == bitmap.size)
    }

    @Test func decodingTooLongExceedsALimit() {
        let slow = PlainCoder { request in while true { try request.checkCancellation() } }
        let context = ImageContext { $0.limits.workTime = .milliseconds(10) }
        let error = #expect(throws: ImageError.self) {
            try CoderRegistry([slow]).decode(PlainCoder.file(of: bitmap), context: context)
        }
        #expect(error?.kind == .overLimit && error?.message.contains("context.limits.workTime") == true)
    }

    /// A side of 0 is unbounded.
    @Test(arguments: [
        (PixelSize(6, 100), Thumbnail.fit(6, 100)), (PixelSize(6, 0), .fit(width: 6)),
        (PixelSize(0, 3), .fit(height: 3)),
        (PixelSize(0, 0), .fit(0, 0)),
    ])
    func encodedImagesAreReducedToFit(_ bound: PixelSize, _ thumbnail: Thumbnail) throws {
        let registry = CoderRegistry([PlainCoder()])
        let image = try registry.decode(PlainCoder.file(of: bitmap))
        let data = try registry.encode(image, context: ImageContext { $0.encodedSizeLimit = bound })
        #expect(try registry.decode(data).size == thumbnail.size(for: bitmap.size))
    }

    @Test(arguments: [
        ("\u{89}PNG\r\n\u{1A}\n", "png"), ("\u{FF}\u{D8}\u{FF}\u{E0}", "jpeg"), ("GIF87a", "gif"),
        ("RIFF1234WEBP", "webp"),
        ("II*\u{0}", "tiff"), ("\u{0}\u{0}\u{0}\u{1C}ftypavif", "avif"), ("%PDF-1.7", "pdf"),
    ])
    func formatsAreDetectedByTheirSignatures(start: String, name: String) {
        let data = Data(start.unicodeScalars.map { UInt8($0.value) })
        #expect(ImageFormat.sniff(data)?.fileExtension == name)
        #expect(ImageFormat(named: name.uppercased())?.fileExtension == name)
        #expect(ImageFormat.sniff(data.prefix(1)) == nil)
    }
}
