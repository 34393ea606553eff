public import DarkroomCore

/// How colours are reduced in a GIF of too many.
public enum GIFDithering: Hashable, Sendable {
    /// Each pixel gets the nearest colour: smaller files, but bands where colours change slowly.
    case none
    /// The error of each pixel is passed on to its neighbours, so that a region has the right colour on the whole.
    case floydSteinberg
}

private enum GIFDitheringKey: ImageContextKey {
    static var defaultValue: GIFDithering { .floydSteinberg }
    // It changes files that are written, not the pixels that are delivered.
    static func cacheKeyFragment(for value: GIFDithering) -> String? { nil }
}

extension ImageContext {
    /// How the colours of a GIF are reduced where a frame has more than 256; the default is `floydSteinberg`.
    ///
    /// Frames of fewer colours are written as they are.
    public var gifDithering: GIFDithering {
        get { self[GIFDitheringKey.self] }
        set { self[GIFDitheringKey.self] = newValue }
    }
}
