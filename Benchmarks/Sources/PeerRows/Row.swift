import DarkroomCore
import DarkroomPNG
import DarkroomTestKit
import DarkroomTransformers
import DarkroomWebP
import Photograph

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A row of the table: the work to do on each file.
struct Row: Sendable {
    /// A file, or a decoded image if decoding is not measured.
    enum Input: Sendable {
        case file(Data)
        case image(Image)
    }

    /// The result for a file.
    enum Output {
        case file(Data)
        case bitmap(Bitmap)
        case nothing
    }

    /// Preparation that is not measured.
    let prepare: @Sendable (Data) throws -> Input

    /// The work to measure.
    let work: @Sendable (Input) async throws -> Output

    /// The names of all rows.
    static var names: [String] { all.keys.sorted() }

    /// Returns the row with the given name.
    static func named(_ name: String) -> Row? { all[name] }

    private static let all: [String: Row] = [
        "thumbnail": files { .file(try Photograph.coders.measuredThumbnail(of: $0)) },
        "small": files { try shrunk($0, to: .fit(180, 120), as: .jpeg) },
        "webp": files { try shrunk($0, to: .fit(1280, 1280), as: .webp) },
        "png": files { try shrunk($0, to: .fit(256, 256), as: .png) },
        "gif": files { try shrunk($0, to: .fit(500, 500), as: .gif) },
        "decode": files {
            _ = try Photograph.coders.decode($0, context: context)
            return .nothing
        },
        "frames": files { file in
            let image = try Photograph.coders.decode(file, context: context)
            var decoder = try image.animation?.makeFrameDecoder()
            // A player shows the image before the animation.
            try withExtendedLifetime(image) { while try decoder?.nextFrame() != nil {} }
            return .nothing
        },
        "sizes-together": files { try await severalSizes(of: $0, inOneCall: true) },
        "sizes-apart": files { try await severalSizes(of: $0, inOneCall: false) },
        "cover": files { try await covered($0, inLinearLight: false) },
        "cover-linear": files { try await covered($0, inLinearLight: true) },
        "resize-400": images { try resized($0, to: PixelSize(400, 300)) },
        "resize-1280": images { try resized($0, to: PixelSize(1280, 960)) },
    ]

    private static func files(_ work: @escaping @Sendable (Data) async throws -> Output) -> Row {
        Row(prepare: { .file($0) }) { input in
            guard case .file(let data) = input else { return .nothing }
            return try await work(data)
        }
    }

    private static func images(_ work: @escaping @Sendable (Image) throws -> Output) -> Row {
        Row(prepare: { .image(try Photograph.coders.decode($0)) }) { input in
            guard case .image(let image) = input else { return .nothing }
            return try work(image)
        }
    }

    /// The settings of the peers: quality 80, one thread, and zlib's default compression level.
    private static let context = ImageContext {
        $0.quality = 0.8
        $0.webPOptions.threadLevel = 0
        $0.pngCompressionLevel = 6
        $0.limits.pixelCount = 1 << 30
        $0.limits.decodedByteCount = 4 << 30
        $0.limits.encodedByteCount = 1 << 30
        $0.limits.workTime = .seconds(100)
    }

    private static func shrunk(_ file: Data, to thumbnail: Thumbnail, as format: ImageFormat) throws -> Output {
        var context = context
        context.thumbnail = thumbnail
        let image = try Photograph.coders.decode(file, context: context)
        return .file(try Photograph.coders.encode(image, as: format, context: context))
    }

    /// Returns the JPEG of a load with `resize`, which decodes at the scale that it needs.
    private static func covered(_ file: Data, inLinearLight: Bool) async throws -> Output {
        var context = context
        context.transformers = [.resize(300, 200, .cover, inLinearLight: inLinearLight)]
        let manager = try ImageManager {
            $0.install(FakeLoader(file))
            $0.coders = Photograph.coders
        }
        let image = try await manager.load(URL(filePath: "/photograph.jpg"), context: context).image
        return .file(try Photograph.coders.encode(image, as: .jpeg, context: context))
    }

    private static func resized(_ image: Image, to size: PixelSize) throws -> Output {
        let resizing = Resizing(width: Double(size.width), height: Double(size.height))
        return .bitmap(try resizing.transform(image.bitmap, for: TransformRequest()))
    }

    /// The widths that a responsive page offers.
    private static let widths = [160.0, 320, 480, 640, 800, 1024, 1280, 1600]

    private static func severalSizes(of file: Data, inOneCall: Bool) async throws -> Output {
        let url = URL(filePath: "/photograph.jpg")
        let contexts = widths.map { width in ImageContext { $0.thumbnail = .fit(width, width) } }
        func manager() throws -> ImageManager {
            try ImageManager {
                $0.install(FakeLoader(file))
                $0.coders = Photograph.coders
            }
        }
        if inOneCall {
            for result in try await manager().load(url, contexts: contexts) { _ = try result.get() }
        } else {
            for context in contexts { _ = try await manager().load(url, context: context) }
        }
        return .nothing
    }
}

extension Row.Output {
    /// The file, or the pixels in memory order.
    var data: Data {
        switch self {
        case .file(let data): data
        case .bitmap(let bitmap): bitmap.withPixels { unsafe $0.withUnsafeBytes { unsafe Data($0) } }
        case .nothing: Data()
        }
    }

    /// The size of the file.
    var byteCount: Int {
        guard case .file(let data) = self else { return 0 }
        return data.count
    }
}
