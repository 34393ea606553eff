/// Another process has locked the totals of a disk cache for so long that it seems to be stopped, or to hang.
struct HeldLock: Error, CustomStringConvertible {
    /// The time for which a lock is waited for. It is held only for some system calls, unless all entries are counted.
    static let limit = Duration.seconds(5)

    var description: String { "another process holds its lock" }
}
