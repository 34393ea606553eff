import Darkroom
@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import Synchronization
import Testing

/// An option of requests, with a value that differs from its default.
struct ContextOption: Sendable, CustomTestStringConvertible {
    /// A run, or a file of one, that requests with and without an option do not share.
    enum Step: Comparable {
        /// The transfer of the original. The steps after it are not shared either.
        case transfer
        /// The decoded image, at whatever size.
        case image
        case result
        case file
        /// All is shared, because the option concerns one caller only.
        case call
    }

    let name: String
    /// The first step that differs.
    let step: Step
    let set: @Sendable (inout ImageContext) -> Void
    let isSet: @Sendable (ImageContext) -> Bool

    var testDescription: String { name }

    /// A context with the option.
    let context: ImageContext

    /// The name of the option's key, and the effect of its value.
    var key: (name: String, effect: ContextEffect)? {
        let reads = Mutex<[String: ContextEffect]>([:])
        _ = isSet(context.observingReads { key, effect in reads.withLock { $0["\(key)"] = effect } })
        let read = reads.withLock { $0 }.first
        return read.map { ($0.key, $0.value) }
    }

    /// Creates an option with this value, which two contexts have in common only if they are copies of each other.
    init<Value: Sendable>(
        _ name: String, _ step: Step, _ path: any WritableKeyPath<ImageContext, Value?> & Sendable, part value: Value
    ) {
        self.init(name, step, { $0[keyPath: path] = value }, isSet: { $0[keyPath: path] != nil })
    }

    init<Value: Equatable & Sendable>(
        _ name: String, _ step: Step, _ path: any WritableKeyPath<ImageContext, Value> & Sendable, _ value: Value
    ) {
        self.init(name, step, { $0[keyPath: path] = value }, isSet: { $0[keyPath: path] == value })
    }

    init(
        _ name: String, _ step: Step, _ set: @escaping @Sendable (inout ImageContext) -> Void,
        isSet: @escaping @Sendable (ImageContext) -> Bool
    ) {
        (self.name, self.step, self.set, self.isSet) = (name, step, set, isSet)
        // Once, because parts are compared by the context in which they were set.
        context = ImageContext(set)
    }

    /// All options of the library. A test fails if a key of its sources has none here.
    static let all = ofTransfers + ofHTTP + ofImages + ofResults + ofFiles + ofCalls

    private static let ofTransfers: [ContextOption] = {
        var limits = DecodeLimits.default
        limits.pixelCount = 1_000_000
        return [
            .init("limits", .transfer, \.limits, limits),
            .init("cacheUse", .transfer, \.cacheUse, .loaderOnly),
            .init("cachePolicy", .transfer, \.cachePolicy, .none),
            .init("retriesFailed", .transfer, \.retriesFailed, true),
            .init("freshnessPolicy", .transfer, \.freshnessPolicy, .lifetime(.zero)),
            .init("heuristicLifetimeLimit", .transfer, \.heuristicLifetimeLimit, .seconds(1)),
            .init("defaultLifetime", .transfer, \.defaultLifetime, .seconds(1)),
            .init("defaultStaleWhileRevalidate", .transfer, \.defaultStaleWhileRevalidate, .seconds(100)),
            .init("servesSeveralUsers", .transfer, \.servesSeveralUsers, true),
            .init("revalidatesStale", .transfer, \.revalidatesStale, true),
            .init("loader", .transfer, \.loader, part: FakeLoader(Data())),
            .init("coder", .transfer, \.coder, part: PlainCoder()),
            .init("imageCache", .transfer, \.imageCache, part: FakeImageCache()),
            .init("dataCache", .transfer, \.dataCache, part: FakeDataCache()),
            .init("originalCache", .transfer, \.originalCache, part: FakeDataCache()),
            .init("keyFilters", .transfer, \.keyFilters, part: [LowercaseHost()]),
            .init("serializer", .transfer, \.serializer, part: NoSerializer()),
            .init("requestModifier", .transfer, \.requestModifier, part: { _ in }),
            .init("responseModifier", .transfer, \.responseModifier, part: { _, _ in }),
            .init("decryptor", .transfer, \.decryptor, part: Decryptor { data, _ in data }),
        ]
    }()

    #if HTTP
        private static let ofHTTP: [ContextOption] = [
            .init("httpCredential", .transfer, \.httpCredential, part: .bearer("token")),
            .init("httpHeaders", .transfer, \.httpHeaders, ["accept": "image/png"]),
        ]
    #else
        private static let ofHTTP: [ContextOption] = []
    #endif

    private static let ofImages: [ContextOption] = [
        .init("preloadsFrames", .image, \.preloadsFrames, true),
        .init("usesFirstFrameOnly", .image, \.usesFirstFrameOnly, true),
        .init("scaleDownByteCount", .image, \.scaleDownByteCount, 1000),
        .init("keepsProfile", .image, \.keepsProfile, true),
        .init("colorSpace", .image, \.colorSpace, .displayP3),
    ]

    private static let ofResults: [ContextOption] = [
        .init("thumbnail", .result, \.thumbnail, .fit(6, 6)),
        .init("transformers", .result, { $0.transformers = [.greyscale] }, isSet: { !$0.transformers.isEmpty }),
        .init("transformsAnimations", .result, \.transformsAnimations, false),
        .init("acceptsIncomplete", .result, \.acceptsIncomplete, true),
    ]

    /// Those of encoded results.
    static let ofFiles: [ContextOption] = [
        .init(
            "encodedFormat", .file, { $0.encodedFormat = .only(.png) },
            isSet: { $0.encodedFormat.identifier == EncodedFormat.only(.png).identifier }),
        .init("quality", .file, \.quality, 0.5),
        .init("encoderQuality", .file, \.encoderQuality, 30),
        .init("visualTarget", .file, \.visualTarget, .high),
        .init("background", .file, \.background, .white),
        .init("encodedByteLimit", .file, \.encodedByteLimit, 1500),
        .init("encodedSizeLimit", .file, \.encodedSizeLimit, PixelSize(20, 20)),
        .init("keptMetadata", .file, \.keptMetadata, .copyright),
        .init("pngCompressionLevel", .file, \.pngCompressionLevel, 0),
        .init("writesProgressiveJPEG", .file, \.writesProgressiveJPEG, true),
        .init("jpegSubsampling", .file, \.jpegSubsampling, .chroma444),
        .init("optimizesJPEG", .file, \.optimizesJPEG, false),
        .init("pngColorCount", .file, \.pngColorCount, 16),
        .init("pngDithering", .file, \.pngDithering, 0),
        .init("gifColorCount", .file, \.gifColorCount, 16),
        .init("gifDithering", .file, \.gifDithering, 0),
        .init("gifFrameTolerance", .file, \.gifFrameTolerance, 20),
        .init("webPOptions", .file, \.webPOptions.isLossless, true),
    ]

    private static let ofCalls: [ContextOption] = [
        .init("priority", .call, \.priority, .high),
        .init("scale", .call, \.scale, 2),
        .init("deliversPreviews", .call, \.deliversPreviews, true),
        .init("progressInterval", .call, \.progressInterval, 0.5),
        .init("waitsForStore", .call, \.waitsForStore, true),
        .init("extendedData", .call, \.extendedData, Data([1])),
        .init("localCheckInterval", .call, \.localCheckInterval, .seconds(1)),
        .init("remembersFailure", .call, \.remembersFailure, part: { _, _ in true }),
        .init("acceptsAnyData", .call, \.acceptsAnyData, true),
    ]
}

/// A serializer that changes nothing.
private struct NoSerializer: CacheSerializer {
    func data(for image: Image?, encoded: Data?, url: URL) throws -> Data? { nil }
}
