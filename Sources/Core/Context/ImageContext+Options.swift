private enum LimitsKey: ImageContextKey {
    static var defaultValue: DecodeLimits { .default }
    static func cacheKeyFragment(for value: DecodeLimits) -> String? { nil }
    static func flightFragment(for value: DecodeLimits) -> String? { value == .default ? nil : "\(value)" }
}

private enum CacheUseKey: ImageContextKey {
    static var defaultValue: CacheUse { .standard }
    static func cacheKeyFragment(for value: CacheUse) -> String? { nil }
    static func flightFragment(for value: CacheUse) -> String? { value == .standard ? nil : "CacheUse(\(value))" }
    static func affectsLookup(for value: CacheUse) -> Bool { true }
}

private enum RetryFailedKey: ImageContextKey {
    static var defaultValue: Bool { false }
    static func cacheKeyFragment(for value: Bool) -> String? { nil }
    static func flightFragment(for value: Bool) -> String? { value ? "RetryFailed(1)" : nil }
}

private enum PreviewsKey: ImageContextKey {
    static var defaultValue: Bool { false }
    static func cacheKeyFragment(for value: Bool) -> String? { nil }
}

private enum ProgressIntervalKey: ImageContextKey {
    static var defaultValue: Double { 0 }
    static func cacheKeyFragment(for value: Double) -> String? { nil }
}

private enum PreloadsFramesKey: ImageContextKey {
    static var defaultValue: Bool { false }
    static func cacheKeyFragment(for value: Bool) -> String? { nil }
    static func flightFragment(for value: Bool) -> String? { value ? "PreloadsFrames(1)" : nil }
}

private enum WaitsForStoreKey: ImageContextKey {
    static var defaultValue: Bool { false }
    // Each caller waits, or not, after the run.
    static func cacheKeyFragment(for value: Bool) -> String? { nil }
}

private enum FirstFrameKey: ImageContextKey {
    static var defaultValue: Bool { false }
    static func cacheKeyFragment(for value: Bool) -> String? { value ? "FirstFrame(1)" : nil }
}

private enum ScaleDownKey: ImageContextKey {
    static var defaultValue: Int? { nil }
    static func cacheKeyFragment(for value: Int?) -> String? { value.map { "ScaleDown(\($0))" } }
}

private enum KeepsProfileKey: ImageContextKey {
    static var defaultValue: Bool { false }
    static func cacheKeyFragment(for value: Bool) -> String? { value ? "KeepProfile(1)" : nil }
}

private enum ScaleKey: ImageContextKey {
    static var defaultValue: Double? { nil }
    // Each caller's image gets its scale after the run.
    static func cacheKeyFragment(for value: Double?) -> String? { nil }
    static func affectsLookup(for value: Double?) -> Bool { true }
}

enum TransformersKey: ImageContextKey {
    static var defaultValue: [any ImageTransformer] { [] }
    // The variant takes the identifiers from the value, because their order counts.
    static func cacheKeyFragment(for value: [any ImageTransformer]) -> String? { nil }
    static func affectsLookup(for value: [any ImageTransformer]) -> Bool { value.first?.decodingThumbnail != nil }
}

private enum TransformsAnimationsKey: ImageContextKey {
    static var defaultValue: Bool { true }
    static func cacheKeyFragment(for value: Bool) -> String? { nil }
    static func flightFragment(for value: Bool) -> String? { value ? nil : "TransformsAnimations(0)" }
}

extension ImageContext {
    /// What a load may cost; finite by default.
    public var limits: DecodeLimits {
        get { self[LimitsKey.self] }
        set { self[LimitsKey.self] = newValue }
    }

    /// Which of caches and loaders are asked.
    public var cacheUse: CacheUse {
        get { self[CacheUseKey.self] }
        set { self[CacheUseKey.self] = newValue }
    }

    /// Whether to load a URL although it failed a moment ago.
    public var retryFailed: Bool {
        get { self[RetryFailedKey.self] }
        set { self[RetryFailedKey.self] = newValue }
    }

    /// Whether `events(for:context:)` also shows what can be seen before all bytes are there, transformed as the result will be.
    ///
    /// Of callers that share a run, the first one decides. Previews are kept in no cache, and there are none where memory is
    /// short: they take no more than half of what the memory budget has left.
    public var previews: Bool {
        get { self[PreviewsKey.self] }
        set { self[PreviewsKey.self] = newValue }
    }

    /// How much of the whole, from 0 to 1, must have come since the last event of progress before there is another.
    ///
    /// The default, 0, tells of every piece. The first caller's also decides how often previews are tried.
    public var progressInterval: Double {
        get { self[ProgressIntervalKey.self] }
        set { self[ProgressIntervalKey.self] = newValue }
    }

    /// Whether all frames of an animation are decoded before it is delivered; otherwise each when it is asked for.
    ///
    /// An animation that is in memory already is delivered as it lies there.
    public var preloadsFrames: Bool {
        get { self[PreloadsFramesKey.self] }
        set { self[PreloadsFramesKey.self] = newValue }
    }

    /// Whether the result is delivered only after the caches have kept it.
    public var waitsForStore: Bool {
        get { self[WaitsForStoreKey.self] }
        set { self[WaitsForStoreKey.self] = newValue }
    }

    /// Whether an animation is delivered as a still of its first frame.
    public var firstFrameOnly: Bool {
        get { self[FirstFrameKey.self] }
        set { self[FirstFrameKey.self] = newValue }
    }

    /// The most bytes of pixels to deliver, 4 a pixel and counted over all frames; the picture is scaled down to fit.
    ///
    /// It outranks `thumbnail`, and keeps the aspect ratio. `nil` for no such bound.
    public var scaleDownByteCount: Int? {
        get { self[ScaleDownKey.self] }
        set { self[ScaleDownKey.self] = newValue }
    }

    /// Whether pixels of RGB stay in the colour space of the file, whose profile goes with them; otherwise they become sRGB.
    ///
    /// Grey and inks become sRGB in any case, for their profiles do not describe the RGB that is delivered.
    public var keepsProfile: Bool {
        get { self[KeepsProfileKey.self] }
        set { self[KeepsProfileKey.self] = newValue }
    }

    /// Pixels a point, at least 1: metadata of the delivered image only. `nil` takes it from a name such as `cat@2x.png`.
    public var scale: Double? {
        get { self[ScaleKey.self] }
        set { self[ScaleKey.self] = newValue }
    }

    /// What is made of the decoded picture, in this order.
    ///
    /// A thumbnail transformer that comes first is done while decoding, as `thumbnail` is.
    public var transformers: [any ImageTransformer] {
        get { self[TransformersKey.self] }
        set { self[TransformersKey.self] = newValue }
    }

    /// Whether transformers apply to every frame of an animation, which is the default; otherwise animations stay as they are.
    public var transformsAnimations: Bool {
        get { self[TransformsAnimationsKey.self] }
        set { self[TransformsAnimationsKey.self] = newValue }
    }
}
