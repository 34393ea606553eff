/// The part of a list whose pictures may be loading.
struct LoadWindow: Hashable {
    /// The positions on screen.
    let visible: Range<Int>

    /// The positions that scrolling on will show next, which are prefetched.
    let ahead: Range<Int>

    /// Those positions, from the one next to the screen to the farthest.
    var aheadByDistance: [Int] { ahead.lowerBound < visible.lowerBound ? ahead.reversed() : Array(ahead) }

    /// All positions whose loads continue, with lower urgency if they have left the screen.
    let kept: Range<Int>

    /// Creates the window of a list of `count` items that is scrolled forward or back, with `margin` positions ahead of
    /// those on screen, and as many behind.
    init(visible: Range<Int>, isForward: Bool, margin: Int, count: Int) {
        let visible = visible.clamped(to: 0..<max(0, count))
        let before = max(0, visible.lowerBound - margin)..<visible.lowerBound
        let after = visible.upperBound..<min(max(visible.upperBound, count), visible.upperBound + margin)
        self.visible = visible
        ahead = isForward ? after : before
        kept = before.lowerBound..<after.upperBound
    }
}
