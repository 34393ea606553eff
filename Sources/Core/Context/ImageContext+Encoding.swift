// None of these keys adds to the cache key: they change files that are written, not the pixels that are delivered.

private enum QualityKey: ImageContextKey {
    static var defaultValue: Double? { nil }
    static func cacheKeyFragment(for value: Double?) -> String? { nil }
}

private enum BackgroundKey: ImageContextKey {
    static var defaultValue: Color? { nil }
    static func cacheKeyFragment(for value: Color?) -> String? { nil }
}

private enum MaxEncodedByteCountKey: ImageContextKey {
    static var defaultValue: Int? { nil }
    static func cacheKeyFragment(for value: Int?) -> String? { nil }
}

private enum MaxEncodedSizeKey: ImageContextKey {
    static var defaultValue: PixelSize? { nil }
    static func cacheKeyFragment(for value: PixelSize?) -> String? { nil }
}

private enum KeepsMetadataKey: ImageContextKey {
    static var defaultValue: Bool { false }
    static func cacheKeyFragment(for value: Bool) -> String? { nil }
}

extension ImageContext {
    /// The quality of lossy encoding from 0 to 1; `nil` for the encoder's default.
    public var quality: Double? {
        get { self[QualityKey.self] }
        set { self[QualityKey.self] = newValue }
    }

    /// The colour put under transparent pixels when the format to write has no alpha; `nil` makes that an error.
    public var background: Color? {
        get { self[BackgroundKey.self] }
        set { self[BackgroundKey.self] = newValue }
    }

    /// The most bytes a lossy file should take, in place of a quality; `nil` for no such bound.
    ///
    /// The best quality that stays below is searched for. A file that is too large even at the worst is written so.
    public var maxEncodedByteCount: Int? {
        get { self[MaxEncodedByteCountKey.self] }
        set { self[MaxEncodedByteCountKey.self] = newValue }
    }

    /// The size that written pictures are shrunk to fit into, the aspect ratio kept; a side of 0 is no bound at all.
    public var maxEncodedSize: PixelSize? {
        get { self[MaxEncodedSizeKey.self] }
        set { self[MaxEncodedSizeKey.self] = newValue }
    }

    /// Whether Exif, and with it the place and time of a photograph, is written; it is left out unless this is set.
    public var keepsMetadata: Bool {
        get { self[KeepsMetadataKey.self] }
        set { self[KeepsMetadataKey.self] = newValue }
    }
}
