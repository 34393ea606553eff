/// Tells how often the generations of all sources of a cache have ended at once, and in which file that was noted.
///
/// The length of the file beyond its contents is this number, because it can always be changed: it needs no disk space.
/// Each ticket contains it.
struct EndCount: Equatable, Sendable {
    /// The number, below `limit`.
    let value: Int

    static let bitCount = 22

    private static let limit = 1 << bitCount

    /// The numbers of one file before it begins again.
    private static let stride = 1 << 6

    /// Creates the count that a file has.
    init(value: Int) { self.value = max(0, value) % Self.limit }

    /// Returns the count of a new file, which tickets of an earlier one are unlikely to have.
    static func random() -> EndCount { EndCount(value: .random(in: 0..<limit / stride) * stride) }

    /// Whether the generations have not ended yet in this file.
    var isFirst: Bool { value % Self.stride == 0 }

    /// Returns the count after the generations have ended once more.
    var next: EndCount {
        let next = EndCount(value: value + 1)
        return next.isFirst ? next.next : next
    }
}
