public import DarkroomCore

/// The dithering used to reduce the colours of a frame that has more than 256.
public enum GIFDithering: Hashable, Sendable {
    /// Each pixel gets the nearest palette colour. Files are smaller, but gradients show banding.
    case none
    /// Floyd–Steinberg error diffusion: the error of each pixel is distributed to its neighbours, which preserves the
    /// average colour of an area.
    case floydSteinberg
}

private enum GIFDitheringKey: ImageContextKey {
    static var defaultValue: GIFDithering { .floydSteinberg }
    static func effect(of value: GIFDithering) -> ContextEffect { .file(value == .none ? "Dithering(0)" : nil) }
}

extension ImageContext {
    /// The dithering of GIF frames with more than 256 colours. The default is ``GIFDithering/floydSteinberg``.
    ///
    /// Frames with fewer colours are stored exactly.
    public var gifDithering: GIFDithering {
        get { self[GIFDitheringKey.self] }
        set { self[GIFDitheringKey.self] = newValue }
    }
}
