/// A coder that knows more than the first frame.
public protocol AnimatedImageCoder: ImageCoder {
    /// A decoder of all frames, each of at least `request.target` pixels, in stored orientation.
    func makeFrameDecoder(_ request: DecodeRequest) throws -> any FrameDecoder
}

/// Plays an animation once, from the start. Frames are whole pictures, not patches. One task owns it.
public protocol FrameDecoder {
    /// The next frame, or `nil` after the last.
    mutating func nextFrame() throws -> Frame?
}
