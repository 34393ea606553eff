/// A position in an animation, and the order in which playback continues from there.
struct PlaybackPosition: Hashable, Sendable {
    /// The index of the frame.
    var index = 0

    /// The number of frames, at least 1.
    var count: Int

    /// The order of frames.
    var mode = PlaybackMode.normal

    /// The current direction of a bouncing mode. It reverses at the ends by itself.
    var isForward = true

    /// The position after this one.
    var next: PlaybackPosition {
        var position = self
        switch mode {
        case .normal: position.index = (index + 1) % count
        case .reverse: position.index = (index + count - 1) % count
        case .bounce, .reversedBounce:
            guard count > 1 else { return self }
            position.isForward = isHeadingForward
            position.index += position.isForward ? 1 : -1
        }
        return position
    }

    /// Returns the number of steps until frame `other` is reached; 0 if it is the current one.
    func distance(to other: Int) -> Int {
        let last = count - 1
        return switch mode {
        case .normal: (other - index + count) % count
        case .reverse: (index - other + count) % count
        case .bounce, .reversedBounce:
            if isHeadingForward {
                other >= index ? other - index : (last - index) + (last - other)
            } else {
                other <= index ? index - other : index + other
            }
        }
    }

    private var isHeadingForward: Bool { index == 0 || (isForward && index < count - 1) }
}
