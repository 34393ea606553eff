/// Determines the memory pressure from the kernel's accounts of the machine and of this process's control groups.
///
/// Each reading is compared with the previous one. Missing files are ignored.
struct MemoryPressureReader: Sendable {
    /// The total time that tasks stalled on memory, in microseconds: at least one task (`some`), and all at once
    /// (`full`).
    private struct Stalls {
        var some = 0.0
        var full = 0.0
    }

    /// The share of time from which on a stall of some tasks is a warning, and a stall of all tasks critical.
    private static let stallShare = 0.15
    /// The shares of a group's limit from which on its usage is a warning or critical.
    private static let usedShares = (warning: 0.9, critical: 0.97)

    /// The file of the machine's pressure stall information.
    var stallFile = "/proc/pressure/memory"
    /// The control groups of this process.
    var groups = ControlGroups()

    private var stalls: [String: Stalls] = [:]
    private var counters: [String: Int] = [:]

    init() {}

    /// Returns the pressure now, where the last reading was `elapsed` ago.
    mutating func read(after elapsed: Duration) -> MemoryPressure {
        let groups = groups.unifiedFolders
        let files = [stallFile] + groups.suffix(1).map { $0 + "/memory.pressure" }
        let levels =
            files.map { stalling(in: $0, after: elapsed) } + groups.flatMap { [events(of: $0), usage(of: $0)] }
        return levels.max() ?? .normal
    }

    /// Returns the pressure by the share of time stalled since the last reading; at first, by the kernel's 10-second
    /// average.
    private mutating func stalling(in file: String, after elapsed: Duration) -> MemoryPressure {
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

    /// Returns the pressure by the group's events since the last reading: it was throttled at a limit, or ran out of
    /// memory.
    private mutating func events(of group: String) -> MemoryPressure {
        let fields = Self.fields(of: group + "/memory.events")
        var level = MemoryPressure.normal
        for (name, indicated) in [("high", MemoryPressure.warning), ("max", .warning), ("oom", .critical)] {
            guard let count = fields[name].map({ Int(saturating: $0) }) else { continue }
            let last = counters.updateValue(count, forKey: group + name)
            if let last, count > last { level = max(level, indicated) }
        }
        return level
    }

    /// Returns the pressure by how close the group's usage is to its limit, without reclaimable file cache.
    private func usage(of group: String) -> MemoryPressure {
        let limits = ["/memory.high", "/memory.max"].compactMap { ControlGroups.limit(in: group + $0) }
        guard let limit = limits.min(), let current = ControlGroups.limit(in: group + "/memory.current") else {
            return .normal
        }
        let used = Double(current) - (Self.fields(of: group + "/memory.stat")["inactive_file"] ?? 0)
        let share = used / Double(limit)
        if share >= Self.usedShares.critical { return .critical }
        return share >= Self.usedShares.warning ? .warning : .normal
    }

    /// Returns the numbers in lines such as `high 3` and `some avg10=0.00 total=12`, by the names `high` and
    /// `some total`.
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
