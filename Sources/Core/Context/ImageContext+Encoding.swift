private enum QualityKey: ImageContextKey {
    static var defaultValue: Double? { nil }
    static func effect(of value: Double?) -> ContextEffect {
        .file(value.map { "Quality(\($0.sixDecimals))" })
    }
}

private enum EncoderQualityKey: ImageContextKey {
    static var defaultValue: Double? { nil }
    static func effect(of value: Double?) -> ContextEffect {
        .file(value.map { "EncoderQuality(\($0.sixDecimals))" })
    }
}

private enum VisualTargetKey: ImageContextKey {
    static var defaultValue: VisualQuality? { nil }
    static func effect(of value: VisualQuality?) -> ContextEffect {
        .file(value.map { "VisualTarget(\($0.score.sixDecimals))" })
    }
}

private enum BackgroundKey: ImageContextKey {
    static var defaultValue: Color? { nil }
    static func effect(of value: Color?) -> ContextEffect {
        .file(value.map { "Background(\($0))" })
    }
}

private enum MaxEncodedByteCountKey: ImageContextKey {
    static var defaultValue: Int? { nil }
    static func effect(of value: Int?) -> ContextEffect {
        .file(value.map { "MaxByteCount(\($0))" })
    }
}

private enum MaxEncodedSizeKey: ImageContextKey {
    static var defaultValue: PixelSize? { nil }
    static func effect(of value: PixelSize?) -> ContextEffect {
        .file(value.map { "MaxSize(\($0.width),\($0.height))" })
    }
}

private enum KeptMetadataKey: ImageContextKey {
    static var defaultValue: MetadataKinds { [] }
    static func effect(of value: MetadataKinds) -> ContextEffect { .file(value.fragment) }
}

extension ImageContext {
    /// The quality of lossy encoding, from 0 to 1; `nil` for ``DefaultQuality/delivered``. Any other value is an error of
    /// kind `unsupported` when the image is encoded, even in a lossless format.
    ///
    /// Equal qualities look alike in all formats: the scale is that of JPEG, whose percentages it has, and a
    /// ``QualityTable`` maps it to the numbers of every other encoder. A picture at the size and in the format of its
    /// source is not encoded again without a quality or another option of encoders.
    public var quality: Double? {
        get { self[QualityKey.self] }
        set { self[QualityKey.self] = newValue?.roundedToSixDecimals }
    }

    /// The encoder's own number for the quality, in place of `quality`; `nil`, the default, for none.
    ///
    /// It is a percentage for JPEG and WebP, and what the coder of a plug-in documents. A number that the encoder does
    /// not accept is an error of kind `unsupported`.
    public var encoderQuality: Double? {
        get { self[EncoderQualityKey.self] }
        set { self[EncoderQualityKey.self] = newValue?.roundedToSixDecimals }
    }

    /// The quality that a lossy file should have, in place of `quality` and `encoderQuality`; `nil`, the default, for none.
    ///
    /// The image is encoded, decoded and compared by ``CoderRegistry/comparator`` until a file is hardly better than that:
    /// twice for most photographs, and at most four times, all in the time of one request. A file is worse only if that of
    /// the highest quality is. The first frame of an animation decides, but none gets a lower quality than most photographs
    /// need. A file that exceeds `encodedByteLimit` is replaced by the best one within that limit. Formats without
    /// qualities are encoded as ever. Without a comparator it is an error of kind `unsupported`.
    public var visualTarget: VisualQuality? {
        get { self[VisualTargetKey.self] }
        set { self[VisualTargetKey.self] = newValue.map { .score($0.score.roundedToSixDecimals) } }
    }

    /// The colour under transparent pixels in formats without alpha; `nil` makes encoding such an image an error.
    public var background: Color? {
        get { self[BackgroundKey.self] }
        set { self[BackgroundKey.self] = newValue }
    }

    /// The maximum size of a lossy file in bytes; `nil` for none.
    ///
    /// The quality is the highest that is found within this size in a few attempts, but no higher than ``quality`` if that is
    /// set. If even the lowest quality exceeds it, the larger file is written.
    public var encodedByteLimit: Int? {
        get { self[MaxEncodedByteCountKey.self] }
        set { self[MaxEncodedByteCountKey.self] = newValue }
    }

    /// The maximum size of encoded images in pixels, which are scaled down to fit with their aspect ratio preserved. A
    /// side of 0 is unbounded.
    public var encodedSizeLimit: PixelSize? {
        get { self[MaxEncodedSizeKey.self] }
        set { self[MaxEncodedSizeKey.self] = newValue }
    }

    /// The kinds of metadata that are written. The default is none.
    ///
    /// Each format stores what it can: JPEG and PNG all of them, WebP no IPTC and no comments, GIF only XMP and comments.
    /// The profile of the colours is not metadata: it is written whenever the pixels need it, as with ``keepsProfile``.
    public var keptMetadata: MetadataKinds {
        get { self[KeptMetadataKey.self] }
        set { self[KeptMetadataKey.self] = newValue }
    }

    /// Whether all metadata is written: Exif, including the place and time of a photograph, XMP, IPTC and comments. The
    /// default is `false`. It is all of ``keptMetadata``, or nothing.
    public var keepsMetadata: Bool {
        get { keptMetadata == .all }
        set { keptMetadata = newValue ? .all : [] }
    }
}

extension ImageContext {
    /// Whether a quality is requested, which only encoding can reach.
    var setsQuality: Bool { quality != nil || encoderQuality != nil || visualTarget != nil }

    /// Whether an option for a particular encoder is set, such as that of progressive files.
    var setsEncoderOption: Bool {
        hasFileOption(except: [
            QualityKey.self, EncoderQualityKey.self, VisualTargetKey.self, BackgroundKey.self,
            MaxEncodedByteCountKey.self, MaxEncodedSizeKey.self, KeptMetadataKey.self, EncodedFormatKey.self,
        ])
    }
}
