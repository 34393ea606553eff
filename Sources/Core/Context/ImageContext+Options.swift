public import DarkroomPlatform

private enum LimitsKey: ImageContextKey {
    static var defaultValue: DecodeLimits { .default }
    static func effect(of value: DecodeLimits) -> ContextEffect { .nothing }
    // Not `"\(value)"`, which looks for the names of all properties each time that a request is made; a list's is slow, too.
    static func flightFragment(for value: DecodeLimits) -> String? {
        value == .default
            ? nil : "Limits(\(DecodeLimits.numbers.map { "\(value[keyPath: $0])," }.joined())\(value.workTime))"
    }
}

private enum CacheUseKey: ImageContextKey {
    static var defaultValue: CacheUse { .standard }
    static func effect(of value: CacheUse) -> ContextEffect { .lookup }
    static func flightFragment(for value: CacheUse) -> String? { value == .standard ? nil : "CacheUse(\(value))" }
}

private enum RetryFailedKey: ImageContextKey {
    static var defaultValue: Bool { false }
    static func effect(of value: Bool) -> ContextEffect { .nothing }
    static func flightFragment(for value: Bool) -> String? { value ? "RetryFailed(1)" : nil }
}

private enum PreviewsKey: ImageContextKey {
    static var defaultValue: Bool { false }
    static func effect(of value: Bool) -> ContextEffect { .nothing }
}

private enum ProgressIntervalKey: ImageContextKey {
    static var defaultValue: Double { 0 }
    static func effect(of value: Double) -> ContextEffect { .nothing }
}

private enum PreloadsFramesKey: ImageContextKey {
    static var defaultValue: Bool { false }
    static func effect(of value: Bool) -> ContextEffect { .nothing }
    static func flightFragment(for value: Bool) -> String? { value ? "PreloadsFrames(1)" : nil }
}

private enum WaitsForStoreKey: ImageContextKey {
    static var defaultValue: Bool { false }
    // Each caller waits for the stores by itself, after the shared run.
    static func effect(of value: Bool) -> ContextEffect { .nothing }
}

private enum ExtendedDataKey: ImageContextKey {
    static var defaultValue: Data? { nil }
    static func effect(of value: Data?) -> ContextEffect { .nothing }
}

private enum FirstFrameKey: ImageContextKey {
    static var defaultValue: Bool { false }
    static func effect(of value: Bool) -> ContextEffect { .result(value ? "FirstFrame(1)" : nil) }
}

private enum AcceptsIncompleteKey: ImageContextKey {
    static var defaultValue: Bool { false }
    // A part of an image is never cached, and a complete image is the same.
    static func effect(of value: Bool) -> ContextEffect { .nothing }
    static func flightFragment(for value: Bool) -> String? { value ? "AcceptsIncomplete(1)" : nil }
}

private enum ScaleDownKey: ImageContextKey {
    static var defaultValue: Int? { nil }
    static func effect(of value: Int?) -> ContextEffect { .result(value.map { "ScaleDown(\($0))" }) }
}

private enum KeepsProfileKey: ImageContextKey {
    static var defaultValue: Bool { false }
    static func effect(of value: Bool) -> ContextEffect { .result(value ? "KeepProfile(1)" : nil) }
}

private enum ScaleKey: ImageContextKey {
    static var defaultValue: Double? { nil }
    // The scale is applied to each caller's image, after the shared run.
    static func effect(of value: Double?) -> ContextEffect { .lookup }
}

enum TransformersKey: ImageContextKey {
    static var defaultValue: [any ImageTransformer] { [] }
    // The variant takes the identifiers from the value itself, because their order matters. A leading thumbnail is moved
    // into the key's own.
    static func effect(of value: [any ImageTransformer]) -> ContextEffect {
        value.first?.decodingThumbnail == nil ? .result(nil) : .lookup
    }
}

private enum TransformsAnimationsKey: ImageContextKey {
    static var defaultValue: Bool { true }
    // The result is found under the key without transformers, too.
    static func effect(of value: Bool) -> ContextEffect { value ? .nothing : .lookup }
    static func flightFragment(for value: Bool) -> String? { value ? nil : "TransformsAnimations(0)" }
}

extension ImageContext {
    /// The resource limits of decoding. They are finite by default.
    public var limits: DecodeLimits {
        get { self[LimitsKey.self] }
        set { self[LimitsKey.self] = newValue }
    }

    /// The use of caches and loaders.
    public var cacheUse: CacheUse {
        get { self[CacheUseKey.self] }
        set { self[CacheUseKey.self] = newValue }
    }

    /// Whether to load a URL even if it failed recently.
    public var retriesFailed: Bool {
        get { self[RetryFailedKey.self] }
        set { self[RetryFailedKey.self] = newValue }
    }

    /// Whether ``ImageManager/events(for:context:)`` delivers previews of incomplete images, transformed like the
    /// result.
    ///
    /// Among callers that share a run, the first one decides. Previews are never cached. They use at most half of the
    /// remaining memory budget; if memory is short, there are none.
    public var deliversPreviews: Bool {
        get { self[PreviewsKey.self] }
        set { self[PreviewsKey.self] = newValue }
    }

    /// The minimum progress between two progress events, as a fraction of the total from 0 to 1.
    ///
    /// The default, 0, reports every chunk. The value of the first caller of a run also limits the rate of previews.
    public var progressInterval: Double {
        get { self[ProgressIntervalKey.self] }
        set { self[ProgressIntervalKey.self] = newValue }
    }

    /// Whether all frames of an animation are decoded before it is delivered, instead of when they are requested.
    ///
    /// An animation from memory is delivered as it was cached.
    public var preloadsFrames: Bool {
        get { self[PreloadsFramesKey.self] }
        set { self[PreloadsFramesKey.self] = newValue }
    }

    /// Whether the result is delivered only after the caches have stored it.
    public var waitsForStore: Bool {
        get { self[WaitsForStoreKey.self] }
        set { self[WaitsForStoreKey.self] = newValue }
    }

    /// Whether an animation is delivered as a still of its first frame.
    public var usesFirstFrameOnly: Bool {
        get { self[FirstFrameKey.self] }
        set { self[FirstFrameKey.self] = newValue }
    }

    /// Whether the part of a truncated still that is there is delivered instead of an error. The default is `false`.
    ///
    /// Its metadata has ``Image/Metadata/isIncomplete`` set, and notes what is wrong. Missing rows are transparent. It is
    /// never cached, and neither are the bytes. An animation is delivered with its complete frames in any case, and a GIF
    /// with its pixels so far, as in browsers.
    public var acceptsIncomplete: Bool {
        get { self[AcceptsIncompleteKey.self] }
        set { self[AcceptsIncompleteKey.self] = newValue }
    }

    /// The maximum number of bytes of pixels to deliver, 4 per pixel over all frames. Larger images are scaled down to
    /// fit.
    ///
    /// It takes precedence over ``thumbnail`` and preserves the aspect ratio. `nil` for no limit.
    public var scaleDownByteCount: Int? {
        get { self[ScaleDownKey.self] }
        set { self[ScaleDownKey.self] = newValue }
    }

    /// Whether RGB pixels stay in the colour space of the file, whose profile is delivered with them, instead of being
    /// converted to sRGB.
    ///
    /// Grey and CMYK pixels are always converted to sRGB, because their profiles do not describe the RGB that is
    /// delivered. Colours and overlays of transformers are not converted from sRGB, and linear light has the curve of sRGB.
    public var keepsProfile: Bool {
        get { self[KeepsProfileKey.self] }
        set { self[KeepsProfileKey.self] = newValue }
    }

    /// Custom data of the caller, stored with what this load stores, and delivered in ``Image/Metadata/extendedData``.
    ///
    /// It does not affect a cached image, nor a run that another caller has started.
    public var extendedData: Data? {
        get { self[ExtendedDataKey.self] }
        set { self[ExtendedDataKey.self] = newValue }
    }

    /// The number of pixels per point of the delivered image, at least 1. It is metadata only. `nil` takes it from a
    /// name such as `cat@2x.png`.
    public var scale: Double? {
        get { self[ScaleKey.self] }
        set { self[ScaleKey.self] = newValue }
    }

    /// The transformers of the decoded image, in order of application.
    ///
    /// A leading thumbnail transformer is applied while decoding, like ``thumbnail``.
    public var transformers: [any ImageTransformer] {
        get { self[TransformersKey.self] }
        set { self[TransformersKey.self] = newValue }
    }

    /// Whether transformers apply to every frame of an animation. The default is `true`; otherwise animations are not
    /// transformed.
    public var transformsAnimations: Bool {
        get { self[TransformsAnimationsKey.self] }
        set { self[TransformsAnimationsKey.self] = newValue }
    }
}
