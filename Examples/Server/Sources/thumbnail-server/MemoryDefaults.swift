import Darkroom

/// What the server may keep in memory by default, also in a container that has little.
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

    /// What each heap keeps of the memory that was released, and the size from which on blocks are no part of one.
    var heap: Int32 { Int32(clamping: min(32 << 20, byteCount / 64)) }
}
