import Darkroom
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// Orientation × format × path. A new path is one line of `Path.all`, and a new kind of file one line of
/// `OrientedFile.all`.
@Suite(.bounded)
struct OrientationMatrixTests {
    @Test(arguments: OrientedFile.all, Path.all)
    func everyPathIsUpright(file: OrientedFile, path: Path) async throws {
        let manager = try ImageManager {
            $0.install(StandardPlugins())
            $0.install(FakeLoader(file.data))
        }
        let found = try await path.load(manager, file.data)
        let expected = try path.change(try file.upright())
        #expect(found.size == expected.size)
        #expect(found.meanDifference(to: expected) <= path.bound)
    }

    /// Otherwise a file that is upright already would pass in place of a rotated one.
    @Test(arguments: OrientedFile.all)
    func filesAreStoredRotated(file: OrientedFile) throws {
        let coders = try ImageManager { $0.install(StandardPlugins()) }.coders
        #expect(try coders.info(of: file.data).orientation == file.orientation)
    }
}

/// A file that is stored in some orientation.
struct OrientedFile: Sendable, CustomTestStringConvertible {
    let name: String
    let orientation: Orientation
    let data: Data

    /// The upright image.
    let upright: @Sendable () throws -> Bitmap

    var testDescription: String { "\(name) in orientation \(orientation.rawValue)" }

    // Created on each access, because the leak sanitizer reports `Data` in a static property.
    static var all: [OrientedFile] {
        Orientation.allCases.flatMap { orientation in
            [
                fixture("jpeg", orientation, "jpg"), fixture("png", orientation), fixture("webp", orientation),
                progressive(orientation), animated(orientation),
            ]
        }
    }

    private static func fixture(_ name: String, _ orientation: Orientation, _ suffix: String? = nil) -> OrientedFile {
        let fixture = Fixture("\(name)-orientation-\(orientation.rawValue).\(suffix ?? name)")
        return OrientedFile(name: name, orientation: orientation, data: fixture.data) {
            try fixture.expectedBitmap(hasAlpha: false)
        }
    }

    private static func progressive(_ orientation: Orientation) -> OrientedFile {
        let fixture = Fixture("jpeg-progressive-444.jpg")
        let body = Array("Exif\0\0".utf8) + exif(orientation)
        let segment = [0xFF, 0xE1, 0, UInt8(body.count + 2)] + body
        let data = fixture.data.prefix(2) + segment + fixture.data.dropFirst(2)
        return OrientedFile(name: "progressive jpeg", orientation: orientation, data: data) {
            try fixture.expectedBitmap(hasAlpha: false).upright(from: orientation)
        }
    }
}

extension OrientedFile {
    /// An animated PNG with two identical frames.
    private static func animated(_ orientation: Orientation) -> OrientedFile {
        let bitmap = try! Fixture("png-rgb-8.png").expectedBitmap(hasAlpha: false)
        let image = Image(frames: [
            Frame(bitmap, duration: .milliseconds(100)), Frame(bitmap, duration: .milliseconds(100)),
        ])!
        let data = try! CoderRegistry([PNGCoder()]).encode(image, as: .png)
        let header = 33  // the length of the signature and the first chunk
        let chunk = Data(chunk("eXIf", exif(orientation)))
        return OrientedFile(
            name: "animated png", orientation: orientation, data: data.prefix(header) + chunk + data.dropFirst(header)
        ) { bitmap.upright(from: orientation) }
    }

    private static func exif(_ orientation: Orientation) -> [UInt8] {
        let tag = Array("II*\0\u{8}\0\0\0\u{1}\0\u{12}\u{1}\u{3}\0\u{1}\0\0\0".utf8)
        return tag + [UInt8(orientation.rawValue), 0, 0, 0]
    }

    /// Returns a chunk of a PNG with its checksum (PNG, annex D).
    private static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
        func bytes(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
        let content = Array(name.utf8) + body
        var rest = UInt32.max
        for byte in content {
            rest ^= UInt32(byte)
            for _ in 0..<8 { rest = rest & 1 == 1 ? rest >> 1 ^ 0xEDB8_8320 : rest >> 1 }
        }
        return bytes(UInt32(body.count)) + content + bytes(~rest)
    }
}

/// A way from a file to pixels.
struct Path: Sendable, CustomTestStringConvertible {
    let testDescription: String

    /// The maximum mean difference from the expected pixels.
    let bound: Double

    let load: @Sendable (ImageManager, Data) async throws -> Bitmap

    /// Derives the expected pixels from the upright image, in a different way.
    let change: @Sendable (Bitmap) throws -> Bitmap

    /// The byte count covers all frames.
    private static let scaledDown = ImageContext {
        $0.scaleDownByteCount = 400
        $0.usesFirstFrameOnly = true
    }

    static let all = [
        loaded("full", .init(), 1) { $0 },
        loaded("thumbnail", ImageContext { $0.thumbnail = .fit(9, 9) }, 12) {
            try $0.resized(to: Thumbnail.fit(9, 9).size(for: $0.size))
        },
        loaded("scaled down", scaledDown, 12) {
            try $0.resized(to: $0.size.width > $0.size.height ? PixelSize(12, 7) : PixelSize(7, 12))
        },
        loaded("flipped", ImageContext { $0.transformers = [.flip(horizontal: true)] }, 1) { source in
            source.drawn(source.size) { x, y in (source.size.width - 1 - x, y) }
        },
        loaded("cropped", ImageContext { $0.transformers = [.crop(x: 3, y: 1, width: 9, height: 5)] }, 1) { source in
            source.drawn(PixelSize(9, 5)) { x, y in (x + 3, y + 1) }
        },
        loaded("thumbnail, flipped", ImageContext { $0.transformers = [.thumbnail(9, 9), .flip(vertical: true)] }, 12) {
            let small = try $0.resized(to: Thumbnail.fit(9, 9).size(for: $0.size))
            return small.drawn(small.size) { x, y in (x, small.size.height - 1 - y) }
        },
        inPieces("in pieces", .init(), 1) { $0 },
        inPieces("in pieces, thumbnail", ImageContext { $0.thumbnail = .fit(9, 9) }, 12) {
            try $0.resized(to: Thumbnail.fit(9, 9).size(for: $0.size))
        },
        keptOnDisk, lastFrame,
        encoded("encoded as png", .png), encoded("encoded as jpeg", .jpeg), encoded("encoded as webp", .webp),
        encoded("encoded as png with metadata", .png, keepsMetadata: true),
        encoded("encoded as jpeg with metadata", .jpeg, keepsMetadata: true),
        encoded("encoded as webp with metadata", .webp, keepsMetadata: true),
    ]

    private static func loaded(
        _ name: String, _ context: ImageContext, _ bound: Double,
        change: @escaping @Sendable (Bitmap) throws -> Bitmap
    ) -> Path {
        Path(
            testDescription: name, bound: bound,
            load: { manager, _ in
                try await manager.load(URL(string: "http://example.com/picture")!, context: context).image.bitmap
            }, change: change)
    }

    /// Loads the file while it arrives, with previews of the same size as the result.
    private static func inPieces(
        _ name: String, _ context: ImageContext, _ bound: Double,
        change: @escaping @Sendable (Bitmap) throws -> Bitmap
    ) -> Path {
        Path(
            testDescription: name, bound: bound,
            load: { _, data in
                let manager = try ImageManager {
                    $0.install(StandardPlugins())
                    $0.install(FakeLoader { _ in LoadResponse(.chunks(AsyncStream<Data>.pieces(of: data))) })
                }
                var previews: [Bitmap] = []
                var result: Bitmap?
                let context = context.withDefaults(ImageContext { $0.deliversPreviews = true })
                for try await event in manager.events(for: URL(string: "http://example.com/picture")!, context: context)
                {
                    if case .preview(let image) = event { previews.append(image.bitmap) }
                    if case .finished(let last) = event { result = last.image.bitmap }
                }
                let bitmap = try #require(result)
                // If a file declares its orientation only at its end, previews may show it as stored until then.
                let early = try? manager.coders.info(of: data.prefix(data.count - 60)).orientation
                guard try early == manager.coders.info(of: data).orientation else { return bitmap }
                #expect(previews.allSatisfy { $0.size == bitmap.size })
                return bitmap
            }, change: change)
    }

    /// Stores the result with one manager, and reads it from the disk cache with another.
    private static let keptOnDisk = Path(
        testDescription: "kept on disk", bound: 12,
        load: { _, data in
            let cache = FakeDataCache()
            var origins: [LoadResult.Origin] = []
            var bitmap: Bitmap?
            for _ in 0..<2 {
                let manager = try ImageManager {
                    $0.install(StandardPlugins())
                    $0.install(FakeLoader(data))
                    $0.dataCache = cache
                }
                let context = ImageContext {
                    $0.thumbnail = .fit(9, 9)
                    $0.waitsForStore = true
                }
                let result = try await manager.load(URL(string: "http://example.com/picture")!, context: context)
                origins.append(result.origin)
                bitmap = result.image.bitmap
            }
            #expect(origins == [.network, .disk])
            return try #require(bitmap)
        }, change: { try $0.resized(to: Thumbnail.fit(9, 9).size(for: $0.size)) })

    private static let lastFrame = Path(
        testDescription: "last frame", bound: 1,
        load: { manager, data in
            let image = try manager.coders.decode(data)
            return try image.animation?.frames().last?.bitmap ?? image.bitmap
        }, change: { $0 })

    private static func encoded(_ name: String, _ format: ImageFormat, keepsMetadata: Bool = false) -> Path {
        Path(
            testDescription: name, bound: 8,
            load: { manager, data in
                let context = ImageContext {
                    $0.quality = 1
                    $0.keepsMetadata = keepsMetadata
                    $0.writesLosslessWebP = true
                    $0.usesFirstFrameOnly = format == .jpeg
                }
                let image = try manager.coders.decode(data)
                let decoded = try manager.coders.decode(manager.coders.encode(image, as: format, context: context))
                #expect(decoded.info.orientation == .up)
                return decoded.bitmap
            }, change: { $0 })
    }
}

extension AsyncStream<Data> {
    /// The bytes of `data` in chunks of one hundred.
    fileprivate static func pieces(of data: Data) -> AsyncThrowingStream<Data, any Error> {
        AsyncThrowingStream { stream in
            for start in stride(from: 0, to: data.count, by: 100) {
                stream.yield(Data(data.dropFirst(start).prefix(100)))
            }
            stream.finish()
        }
    }
}

extension Bitmap {
    /// Returns a bitmap of `size` whose pixel (x, y) is the pixel of this one at `source(x, y)`.
    fileprivate func drawn(_ size: PixelSize, from source: (_ x: Int, _ y: Int) -> (Int, Int)) -> Bitmap {
        Bitmap(size.width, size.height) { x, y in
            let (x, y) = source(x, y)
            return color(x: x, y: y)!
        }
    }
}
