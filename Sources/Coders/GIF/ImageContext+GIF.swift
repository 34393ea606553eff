public import DarkroomCore

private enum GIFColorCountKey: CoderContextKey {
    static var defaultValue: Int { 256 }
    static func effect(of value: Int) -> ContextEffect {
        .file(value == defaultValue ? nil : "GIFColors(\(value))")
    }
}

private enum GIFDitheringKey: CoderContextKey {
    static var defaultValue: Double { 1 }
    static func effect(of value: Double) -> ContextEffect {
        .file(value == defaultValue ? nil : "Dithering(\(value.sixDecimals))")
    }
}

private enum GIFFrameToleranceKey: CoderContextKey {
    static var defaultValue: Int { 0 }
    static func effect(of value: Int) -> ContextEffect {
        .file(value == defaultValue ? nil : "FrameTolerance(\(value))")
    }
}

extension ImageContext {
    /// The most colours of a still GIF or of a frame of an animation, the transparent one included: 2 to 256, the default.
    /// Any other number is an error of kind `unsupported` when a GIF is encoded.
    ///
    /// A frame with more colours is reduced to so many, and one with fewer is stored exactly.
    public var gifColorCount: Int {
        get { self[GIFColorCountKey.self] }
        set { self[GIFColorCountKey.self] = newValue }
    }

    /// The strength of the error diffusion where the colours of GIF frames are reduced, from 0 to 1, the default. Any other
    /// value is an error of kind `unsupported` when a GIF is encoded.
    ///
    /// With 0, each pixel gets the nearest colour of the palette. Files are smaller, but gradients show bands.
    public var gifDithering: Double {
        get { self[GIFDitheringKey.self] }
        set { self[GIFDitheringKey.self] = newValue.roundedToSixDecimals }
    }

    /// The largest difference of a channel, from 0 to 255, for which a pixel of an animated GIF is left as it was in the
    /// frame before. The default is 0. Any other value is an error of kind `unsupported` when a GIF is encoded.
    ///
    /// A pixel that differs by more from what it was when it was last drawn is drawn again, so differences do not add up
    /// over frames. Noise and slow changes make large files without a tolerance; with 8, they are hardly seen to be gone.
    public var gifFrameTolerance: Int {
        get { self[GIFFrameToleranceKey.self] }
        set { self[GIFFrameToleranceKey.self] = newValue }
    }
}

extension GIFCoder {
    /// The options of GIF files.
    public var contextKeys: [any CoderContextKey.Type] {
        [GIFColorCountKey.self, GIFDitheringKey.self, GIFFrameToleranceKey.self]
    }
}
