public import DarkroomCore

private enum CompressionLevelKey: CoderContextKey {
    static var defaultValue: Int { 3 }
    static func effect(of value: Int) -> ContextEffect {
        .file(value == defaultValue ? nil : "CompressionLevel(\(value))")
    }
}

private enum PNGColorCountKey: CoderContextKey {
    static var defaultValue: Int? { nil }
    static func effect(of value: Int?) -> ContextEffect {
        .file(value.map { "PNGColors(\($0))" })
    }
}

private enum PNGDitheringKey: CoderContextKey {
    static var defaultValue: Double { 1 }
    static func effect(of value: Double) -> ContextEffect {
        .file(value == defaultValue ? nil : "PNGDithering(\(value.sixDecimals))")
    }
}

extension ImageContext {
    /// The compression level of encoded PNG files, from 0 (none) to 9. The default is 3. Any other value is an
    /// error of kind `unsupported` when a PNG file is encoded.
    public var pngCompressionLevel: Int {
        get { self[CompressionLevelKey.self] }
        set { self[CompressionLevelKey.self] = newValue }
    }

    /// The most colours of encoded PNG files, from 2 to 256; `nil`, the default, for lossless files. Any other number is an
    /// error of kind `unsupported` when a PNG file is encoded.
    ///
    /// A picture with more colours is reduced to a palette of so many, which also have alpha: with 256, photographs take
    /// about a third of the bytes. One with fewer is stored exactly. Opaque pixels stay opaque, and transparent ones
    /// transparent. An animation has one palette.
    ///
    /// With `encodedByteLimit`, a reduced file that would be larger gets fewer colours, down to
    /// 2: as many as fit, found in at most 5 attempts.
    public var pngColorCount: Int? {
        get { self[PNGColorCountKey.self] }
        set { self[PNGColorCountKey.self] = newValue }
    }

    /// The strength of the error diffusion where the colours of PNG files are reduced, from 0 to 1, the default. Any other
    /// value is an error of kind `unsupported` when a PNG file is encoded.
    ///
    /// With 0, each pixel gets the nearest colour of the palette. Files are smaller, but gradients show bands.
    public var pngDithering: Double {
        get { self[PNGDitheringKey.self] }
        set { self[PNGDitheringKey.self] = newValue.roundedToSixDecimals }
    }
}

extension PNGCoder {
    /// The options of PNG files.
    public var contextKeys: [any CoderContextKey.Type] {
        [CompressionLevelKey.self, PNGColorCountKey.self, PNGDitheringKey.self]
    }
}
