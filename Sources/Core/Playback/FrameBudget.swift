#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How many frames of one animation may be kept for its players.
///
/// The one place that decides it.
struct FrameBudget: Sendable {
    /// Animations whose frames take no more than this together are kept whole: 8 MiB.
    static let smallByteCount = 8 << 20

    /// The most bytes kept when the player names no limit: 64 MiB.
    static let largestByteCount = 64 << 20

    /// The most frames kept of an animation that is not small, when the player names no limit.
    static let frameCount = 8

    /// The account of all pictures, of which players may take what is left; `nil` for none.
    var memory: MemoryBudget?

    /// The kernel's account of memory.
    var memoryFile = "/proc/meminfo"

    /// What the machine has.
    var machineByteCount = Int(clamping: ProcessInfo.processInfo.physicalMemory)

    /// What a player without a limit of its own may use now: 20 % of all memory, 60 % of what is free, at most 64 MiB.
    var automaticByteCount: Int {
        let free = availableByteCount.map { $0 / 5 * 3 } ?? .max
        return min(machineByteCount / 5, free, Self.largestByteCount)
    }

    /// What a player may use that has `heldByteCount` bytes of frames already.
    func automaticByteCount(holding heldByteCount: Int) -> Int {
        guard let memory else { return automaticByteCount }
        return min(automaticByteCount, heldByteCount.adding(memory.availableByteCount))
    }

    /// How many frames of `frameByteCount` bytes may be kept under `byteLimit`, at least 1; 0 stands for `automatic` bytes.
    static func frameLimit(byteLimit: Int, automatic: Int, frameByteCount: Int, frameCount: Int) -> Int {
        let frameByteCount = max(frameByteCount, 1)
        guard byteLimit == 0 else { return max(1, byteLimit / frameByteCount) }
        let (wholeByteCount, overflow) = frameByteCount.multipliedReportingOverflow(by: frameCount)
        let isSmall = !overflow && wholeByteCount <= smallByteCount
        return max(1, min(automatic / frameByteCount, isSmall ? .max : Self.frameCount))
    }

    /// What the kernel could give without swapping; `nil` where it does not say.
    private var availableByteCount: Int? {
        guard let text = try? String(contentsOfFile: memoryFile, encoding: .utf8) else { return nil }
        let fields = text.split(separator: "\n").first { $0.hasPrefix("MemAvailable:") }?.split(separator: " ")
        guard let fields, fields.count > 1, let kibibytes = Int(fields[1]) else { return nil }
        let (byteCount, overflow) = kibibytes.multipliedReportingOverflow(by: 1024)
        return overflow || kibibytes < 0 ? nil : byteCount
    }
}
