import Darkroom

/// The default sizes of the memory budget and of caches. They depend on the memory, so that a small container suffices.
struct MemoryDefaults {
    /// The programs and libraries of the server and two workers without a picture, rounded up.
    private static let programByteCount = 128 << 20

    /// The memory that the server may use: the limit of its control groups, or the memory of the machine.
    let byteCount: Int

    /// Creates the defaults for `byteCount` bytes of memory.
    init(byteCount: Int = 2 * MemoryBudget.defaultByteLimit) { self.byteCount = byteCount }

    /// The memory budget: half of what the programs leave.
    var budget: Int { max(32 << 20, (byteCount - Self.programByteCount) / 2) }

    /// The memory cache of responses.
    var responses: Int { min(64 << 20, byteCount / 16) }

    /// The number of released bytes that each heap of glibc keeps. Blocks of this size or more are mapped individually.
    var heap: Int32 { Int32(clamping: min(32 << 20, byteCount / 64)) }
}
