/// Tells how scarce memory is, from what the kernel writes about the machine and about the control groups of this process.
///
/// It compares with what it read the last time. Files that are not there say nothing.
struct MemoryPressureReader: Sendable {
    /// How long tasks waited for memory, in microseconds since the start: at least one of them, and all at once.
    private struct Stalls {
        var some = 0.0
        var full = 0.0
    }

    /// This share of time, or more, is a warning when some task waited, and critical when all did.
    private static let stallShare = 0.15
    /// These shares of a group's limit are a warning and critical.
    private static let usedShares = (warning: 0.9, critical: 0.97)

    /// The kernel's account of the time that tasks of the whole machine waited (pressure stall information).
    var stallFile = "/proc/pressure/memory"
    /// Where the control groups are.
    var memory = SystemMemory()

    private var stalls: [String: Stalls] = [:]
    private var counters: [String: Int] = [:]

    init() {}

    /// The pressure now, when the last reading was `elapsed` ago.
    mutating func read(after elapsed: Duration) -> MemoryPressure {
        let groups = memory.unifiedFolders
        let files = [stallFile] + groups.suffix(1).map { $0 + "/memory.pressure" }
        let levels = files.map { stalling(in: $0, elapsed) } + groups.flatMap { [events(of: $0), usage(of: $0)] }
        return levels.max() ?? .normal
    }

    /// By how much of the time since then was waited; the first time, by the kernel's average of ten seconds.
    private mutating func stalling(in file: String, _ elapsed: Duration) -> MemoryPressure {
        let fields = Self.fields(of: file)
        let total = Stalls(some: fields["some total"] ?? 0, full: fields["full total"] ?? 0)
        let microseconds = elapsed / .microseconds(1)
        var share = Stalls(some: (fields["some avg10"] ?? 0) / 100, full: (fields["full avg10"] ?? 0) / 100)
        if let last = stalls[file], microseconds > 100_000 {
            share.some = (total.some - last.some) / microseconds
            share.full = (total.full - last.full) / microseconds
        }
        stalls[file] = total
        if share.full >= Self.stallShare { return .critical }
        return share.some >= Self.stallShare ? .warning : .normal
    }

    /// By what happened to the group since then: it was slowed down at a limit, or found no memory at all.
    private mutating func events(of group: String) -> MemoryPressure {
        let fields = Self.fields(of: group + "/memory.events")
        var level = MemoryPressure.normal
        for (name, sign) in [("high", MemoryPressure.warning), ("max", .warning), ("oom", .critical)] {
            guard let count = fields[name].map({ Int($0) }) else { continue }
            let last = counters.updateValue(count, forKey: group + name)
            if let last, count > last { level = max(level, sign) }
        }
        return level
    }

    /// By how near the group is to its limit; files that the kernel can drop do not count.
    private func usage(of group: String) -> MemoryPressure {
        let limits = ["/memory.high", "/memory.max"].compactMap { SystemMemory.limit(in: group + $0) }
        guard let limit = limits.min(), let current = SystemMemory.limit(in: group + "/memory.current") else {
            return .normal
        }
        let used = Double(current) - (Self.fields(of: group + "/memory.stat")["inactive_file"] ?? 0)
        let share = used / Double(limit)
        if share >= Self.usedShares.critical { return .critical }
        return share >= Self.usedShares.warning ? .warning : .normal
    }

    /// The numbers in lines such as `high 3` and `some avg10=0.00 total=12`, by `high` and `some total`.
    private static func fields(of file: String) -> [String: Double] {
        var fields: [String: Double] = [:]
        for line in (SystemFile.text(of: file) ?? "").fields(separatedBy: UInt8(ascii: "\n")) {
            let words = line.fields(separatedBy: UInt8(ascii: " ")).filter { !$0.isEmpty }
            guard let name = words.first else { continue }
            for word in words.dropFirst() {
                let parts = word.fields(separatedBy: UInt8(ascii: "="))
                guard let value = parts.last.flatMap({ Double($0) }), value.isFinite, abs(value) < 1e18 else {
                    continue
                }
                fields[parts.count == 2 ? "\(name) \(parts[0])" : String(name)] = value
            }
        }
        return fields
    }
}
