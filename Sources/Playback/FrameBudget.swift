import DarkroomCore
import DarkroomPlatform

/// The policy for the number of frames of one animation that its players may cache.
struct FrameBudget: Sendable {
    /// The total size up to which all frames of an animation are cached: 8 MiB.
    static let smallByteCount = 8 << 20

    /// The maximum number of bytes to cache when the player sets no limit: 64 MiB.
    static let largestByteCount = 64 << 20

    /// The maximum number of frames to cache of an animation that is not small, when the player sets no limit.
    static let frameCount = 8

    /// The shared memory budget, whose available bytes players may use; `nil` for none.
    var memory: MemoryBudget?

    /// The file with the kernel's memory statistics.
    var memoryFile = "/proc/meminfo"

    /// The physical memory of the machine, in bytes.
    var machineByteCount = Int(clamping: ProcessInfo.processInfo.physicalMemory)

    /// The number of bytes that a player without a limit may use now: 20 % of all memory, 60 % of what is available, at
    /// most 64 MiB.
    var automaticByteCount: Int {
        let free = availableByteCount.map { $0 / 5 * 3 } ?? .max
        return min(machineByteCount / 5, free, Self.largestByteCount)
    }

    /// Returns the automatic limit of a player whose frames already take `heldByteCount` bytes.
    func automaticByteCount(holding heldByteCount: Int) -> Int {
        guard let memory else { return automaticByteCount }
        return min(automaticByteCount, heldByteCount.adding(memory.availableByteCount))
    }

    /// Returns the number of frames of `frameByteCount` bytes that fit into `byteLimit`, at least 1. A limit of 0
    /// stands for `automatic` bytes.
    static func frameLimit(byteLimit: Int, automatic: Int, frameByteCount: Int, frameCount: Int) -> Int {
        let frameByteCount = max(frameByteCount, 1)
        guard byteLimit == 0 else { return max(1, byteLimit / frameByteCount) }
        let (wholeByteCount, overflow) = frameByteCount.multipliedReportingOverflow(by: frameCount)
        let isSmall = !overflow && wholeByteCount <= smallByteCount
        return max(1, min(automatic / frameByteCount, isSmall ? .max : Self.frameCount))
    }

    /// The memory that the kernel can provide without swapping; `nil` if it does not report that.
    private var availableByteCount: Int? {
        let lines = (SystemFile.text(of: memoryFile) ?? "").fields(separatedBy: UInt8(ascii: "\n"))
        let line = lines.first { $0.utf8.starts(with: "MemAvailable:".utf8) }
        let words = line?.fields(separatedBy: UInt8(ascii: " ")).filter { !$0.isEmpty } ?? []
        guard words.count > 1, let kibibytes = Int(decimal: words[1]) else { return nil }
        let (byteCount, overflow) = kibibytes.multipliedReportingOverflow(by: 1024)
        return overflow ? nil : byteCount
    }
}
