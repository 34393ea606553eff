/// A coder that knows more than the first frame.
public protocol AnimatedImageCoder: ImageCoder {
    /// A decoder of all frames, each of at least `request.target` pixels, in stored orientation.
    ///
    /// A format whose frames are parts of a canvas answers a `FrameCompositor`.
    func makeFrameDecoder(_ request: DecodeRequest) throws -> any FrameDecoder
}

/// Plays an animation once, from the start. Frames are whole pictures, not patches. One task owns it.
public protocol FrameDecoder {
    /// The next frame, or `nil` after the last.
    ///
    /// A frame that cannot be decoded throws, and the call after that gives the one behind it.
    mutating func nextFrame() throws -> Frame?

    /// Makes frame `index`, which exists, the next one, at the least cost, and as it looks when played from the start.
    ///
    /// The default answers false: it can only play on. Then Core makes another decoder, and plays up to the frame.
    mutating func seek(to index: Int) throws -> Bool
}

extension FrameDecoder {
    /// The default: false.
    public mutating func seek(to index: Int) throws -> Bool { false }
}
