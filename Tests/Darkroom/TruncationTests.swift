import Darkroom
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// Files that end too early.
@Suite(.bounded)
struct TruncationTests {
    private let coders = CoderRegistry([PNGCoder(), JPEGCoder(), GIFCoder(), WebPCoder()])
    private let url = URL(string: "http://example.com/truncated")!

    /// Encodes a still with details, whose size does not fit into a single block of any format.
    private static func still(_ format: ImageFormat, isProgressive: Bool = false) throws -> Data {
        let bitmap = Bitmap(120, 90) { x, y in
            Color(red: UInt8((x &* 7 ^ y &* 13) & 127), green: UInt8(x * 2), blue: UInt8(y * 2 / 16 * 16))
        }
        let image = Image(info: ImageInfo(format: format, storedSize: bitmap.size), bitmap: bitmap)
        let context = ImageContext {
            $0.writesProgressiveJPEG = isProgressive
            $0.writesLosslessWebP = true
            // Under a sanitizer, a GIF file can take more than the standard 10 s.
            $0.limits.workTime = .seconds(600)
        }
        return try CoderRegistry([PNGCoder(), JPEGCoder(), GIFCoder(), WebPCoder()])
            .encode(image, as: format, context: context)
    }

    private static func animation(_ format: ImageFormat) throws -> Data {
        let frames = (0..<4).map { number in
            let bitmap = Bitmap(30, 20) { x, y in
                Color(red: UInt8(x * 8), green: UInt8(y * 9), blue: UInt8(number * 80))
            }
            return Frame(bitmap, duration: .milliseconds(100))
        }
        let image = try #require(Image(frames: frames))
        return try CoderRegistry([PNGCoder(), GIFCoder(), WebPCoder()]).encode(image, as: format)
    }

    private func manager(
        _ data: Data, _ images: FakeImageCache = .init(), _ files: FakeDataCache = .init()
    ) throws -> (ImageManager, FakeLoader) {
        let loader = FakeLoader { _ in
            let chunks = AsyncThrowingStream<Data, any Error> { stream in
                for start in stride(from: 0, to: data.count, by: 500) {
                    stream.yield(data.dropFirst(start).prefix(500))
                }
                stream.finish()
            }
            return LoadResponse(.chunks(chunks))
        }
        let manager = try ImageManager {
            $0.install(StandardPlugins())
            $0.install(loader)
            $0.imageCache = images
            $0.dataCache = files
            $0.failedURLLifetime = .seconds(0)
        }
        return (manager, loader)
    }

    private func expectIncomplete(_ image: Image, _ note: String, _ location: SourceLocation = #_sourceLocation) {
        #expect(image.metadata.isIncomplete && !image.metadata.isPreview, sourceLocation: location)
        #expect(image.metadata.notes.count == 1, sourceLocation: location)
        #expect(image.metadata.notes.first?.contains(note) == true, sourceLocation: location)
    }

    @Test(.bug(id: "16.22"), arguments: [ImageFormat.gif, .webp, .png])
    func truncatedAnimationIsLabelled(_ format: ImageFormat) async throws {
        let data = try Self.animation(format)
        let complete = try coders.decode(data)
        #expect(!complete.metadata.isIncomplete && complete.metadata.notes.isEmpty)
        let part = Data(data.prefix(data.count * 3 / 4))
        let image = try coders.decode(part)
        #expect((2...3).contains(image.info.frameCount))
        expectIncomplete(image, "truncated")
        for previews in [true, false] {
            let context = ImageContext { $0.deliversPreviews = previews }
            let result = try await manager(part).0.load(url, context: context)
            expectIncomplete(result.image, "truncated")
            #expect(result.image.metadata.notes == image.metadata.notes)
        }
    }

    @Test(.bug(id: "16.22"), arguments: [nil, Thumbnail.fit(8, 8)])
    func truncatedProgressiveJPEGIsLabelled(_ thumbnail: Thumbnail?) async throws {
        let data = try Self.still(.jpeg, isProgressive: true)
        let context = ImageContext { $0.thumbnail = thumbnail }
        let complete = try coders.decode(data, context: context)
        #expect(!complete.metadata.isIncomplete && complete.metadata.notes.isEmpty)
        for count in [data.count / 2, data.count * 3 / 4, data.count - 2] {
            let part = Data(data.prefix(count))
            expectIncomplete(try coders.decode(part, context: context), "scans")
            expectIncomplete(try await manager(part).0.load(url, context: context).image, "scans")
            let previews = ImageContext {
                $0.thumbnail = thumbnail
                $0.deliversPreviews = true
            }
            expectIncomplete(try await manager(part).0.load(url, context: previews).image, "scans")
        }
    }

    /// A stored thumbnail could not say that its original is truncated.
    @Test func thumbnailOfATruncatedFileIsStoredOnlyInMemory() async throws {
        let (images, files) = (FakeImageCache(), FakeDataCache())
        let data = try Self.still(.jpeg, isProgressive: true)
        let (manager, loader) = try manager(Data(data.prefix(data.count / 2)), images, files)
        let context = ImageContext {
            $0.thumbnail = .fit(20, 20)
            $0.waitsForStore = true
        }
        let first = try await manager.load(url, context: context)
        #expect(files.keys.map(\.variant) == [[]])
        images.removeAll()
        let second = try await manager.load(url, context: context)
        #expect(second.origin == .original && loader.requests.count == 1)
        expectIncomplete(first.image, "scans")
        expectIncomplete(second.image, "scans")
    }

    private static let stills: [(ImageFormat, Bool)] = [
        (.png, false), (.jpeg, false), (.webp, false), (.jpeg, true),
    ]

    @Test(.bug(id: "16.22"), arguments: stills)
    func partOfATruncatedStillIsDeliveredIfAccepted(_ format: ImageFormat, _ isProgressive: Bool) async throws {
        let data = try Self.still(format, isProgressive: isProgressive)
        let whole = try coders.decode(data).bitmap
        let marker = Data([0xFF, 0xDA])
        let scan = data.firstRange(of: marker)?.upperBound ?? 0
        let second = isProgressive ? data[scan...].firstRange(of: marker)?.lowerBound ?? 0 : data.count
        // Half of the file, or of the first scan.
        let part = Data(data.prefix(isProgressive ? (scan + second) / 2 : data.count / 2))
        let error = #expect(throws: ImageError.self) { try coders.decode(part) }
        #expect(error?.kind == .incomplete)
        let image = try coders.decode(part, context: ImageContext { $0.acceptsIncomplete = true })
        expectIncomplete(image, "only a part of it is shown")
        let rowCount = (0..<90).first { image.bitmap.color(x: 0, y: $0)?.alpha == 0 } ?? 90
        let byteCount = rowCount * 120 * 4
        #expect(image.size == whole.size && (8..<90).contains(rowCount), "\(rowCount) rows")
        #expect(image.bitmap.bytes[byteCount...].allSatisfy { $0 == 0 })
        if !isProgressive { #expect(image.bitmap.bytes[..<byteCount] == whole.bytes[..<byteCount]) }
        let thumbnail = try coders.decode(
            part,
            context: ImageContext {
                $0.acceptsIncomplete = true
                $0.thumbnail = .fit(12, 9)
            })
        #expect(thumbnail.size == PixelSize(12, 9) && thumbnail.metadata.isIncomplete)
    }

    /// As browsers do.
    @Test(arguments: [true, false])
    func partOfATruncatedGIFIsDelivered(_ previews: Bool) async throws {
        let data = try Self.still(.gif)
        let part = Data(data.prefix(data.count / 2))
        let image = try coders.decode(part)
        expectIncomplete(image, "of 10800 pixels")
        let loaded = try await manager(part).0.load(url, context: ImageContext { $0.deliversPreviews = previews }).image
        expectIncomplete(loaded, "of 10800 pixels")
        #expect(loaded.bitmap == image.bitmap)
        let byteCount = 20 * 120 * 4
        #expect(try image.bitmap.bytes.prefix(byteCount) == coders.decode(data).bitmap.bytes.prefix(byteCount))
    }

    @Test(.bug(id: "16.22"), arguments: [true, false])
    func partOfAStillIsNeverCached(_ previews: Bool) async throws {
        let data = try Self.still(.png)
        let (images, files) = (FakeImageCache(), FakeDataCache())
        let (manager, loader) = try manager(Data(data.prefix(data.count / 2)), images, files)
        let context = ImageContext {
            $0.acceptsIncomplete = true
            $0.waitsForStore = true
            $0.deliversPreviews = previews
        }
        for count in 1...2 {
            expectIncomplete(try await manager.load(url, context: context).image, "only a part of it is shown")
            #expect(manager.cachedImage(for: url) == nil && files.keys.isEmpty)
            #expect(loader.requests.count == count)
        }
        let error = await #expect(throws: ImageError.self) { try await manager.load(url) }
        #expect(error?.kind == .incomplete)
    }

    @Test func requestsThatAcceptAPartShareTheTransfer() async throws {
        let (manager, loader) = try manager(try Self.still(.png))
        async let strict = manager.load(url)
        async let lenient = manager.load(url, context: ImageContext { $0.acceptsIncomplete = true })
        let images = try await [strict, lenient].map(\.image)
        #expect(images.allSatisfy { !$0.metadata.isIncomplete })
        #expect(loader.requests.count == 1)
    }

    /// The orientation would follow the pixels.
    @Test func partOfAWebPWithExifIsDelivered() throws {
        let data = Fixture("webp-orientation-6.webp").data
        let context = ImageContext { $0.acceptsIncomplete = true }
        let pixels = try #require(data.firstRange(of: Data("VP8 ".utf8)) ?? data.firstRange(of: Data("VP8L".utf8)))
        let exif = try #require(data.firstRange(of: Data("EXIF".utf8))).lowerBound
        for count in [pixels.upperBound + (exif - pixels.upperBound) / 2, exif, data.count - 1] {
            let part = Data(data.prefix(count))
            #expect(throws: ImageError.self) { try coders.decode(part) }
            let image = try? coders.decode(part, context: context)
            // The rows of a small image may not be there before its last bytes.
            if count >= exif { #expect(image?.metadata.isIncomplete == true) }
            #expect(image?.metadata.isIncomplete != false)
        }
    }

    /// No prefix of any file crashes or hangs, and each one ends in a part or an error.
    @Test(arguments: [ImageFormat.png, .jpeg, .gif, .webp].flatMap { Array(Fixture.all(of: $0)) })
    func everyPrefixEndsInAPartOrAnError(_ fixture: Fixture) {
        let context = ImageContext { $0.acceptsIncomplete = true }
        for count in stride(from: 1, to: fixture.data.count, by: max(1, fixture.data.count / 97)) {
            guard let image = try? coders.decode(Data(fixture.data.prefix(count)), context: context) else { continue }
            let isNoted = !image.metadata.notes.isEmpty
            // A PNG may have all pixels, but lack checksums, metadata and an end marker after them, and a GIF its last byte.
            let mayHaveAllPixels =
                fixture.name.hasPrefix("png") && isNoted || fixture.data.count - count < 16
                || image.metadata.notes == ["the GIF has no mark at its end"]
            #expect(image.metadata.isIncomplete == isNoted || mayHaveAllPixels)
        }
    }
}
