/// A coder that decodes all frames of an animation.
public protocol AnimatedImageCoder: ImageCoder {
    /// Returns a decoder of all frames, each of at least `request.target` pixels, in stored orientation.
    ///
    /// A format whose frames are patches of a canvas returns a ``FrameCompositor``.
    func makeFrameDecoder(_ request: DecodeRequest) throws -> any FrameDecoder
}

/// A decoder of the frames of an animation, from the first. Frames are complete images, not patches. It must be used by
/// one task at a time.
public protocol FrameDecoder {
    /// Returns the next frame; `nil` after the last.
    ///
    /// It throws for a frame that cannot be shown at all. The next call then returns the following frame.
    mutating func nextFrame() throws -> Frame?

    /// Moves to frame `index`, which exists, so that `nextFrame()` returns it as if played from the start.
    ///
    /// Returns false if the decoder cannot seek, which is the default. Core then creates a new decoder and skips
    /// frames.
    mutating func seek(to index: Int) throws -> Bool
}

extension FrameDecoder {
    /// Returns false.
    public mutating func seek(to index: Int) throws -> Bool { false }
}
