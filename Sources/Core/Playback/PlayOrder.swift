/// A place in an animation, and the way on from there.
struct PlayOrder: Hashable, Sendable {
    /// The frame.
    var index = 0

    /// How many frames there are, at least 1.
    var count: Int

    /// Which frame follows which.
    var mode = PlaybackMode.normal

    /// Where a mode with turns is heading. It turns at the ends by itself.
    var isForward = true

    /// The next place.
    var next: PlayOrder {
        var order = self
        switch mode {
        case .normal: order.index = (index + 1) % count
        case .reverse: order.index = (index + count - 1) % count
        case .bounce, .reversedBounce:
            guard count > 1 else { return self }
            order.isForward = isHeadingForward
            order.index += order.isForward ? 1 : -1
        }
        return order
    }

    /// How many frames are played before frame `other` comes; 0 when it is the one here.
    func steps(to other: Int) -> Int {
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
