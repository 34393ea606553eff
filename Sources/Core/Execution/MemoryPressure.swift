/// The level of memory pressure.
public enum MemoryPressure: Int, Hashable, Sendable, CaseIterable {
    /// No pressure.
    case normal
    /// Work occasionally stalls waiting for memory: release whatever is cheap to get back.
    case warning
    /// The process is at risk of being killed: release everything that is not in use.
    case critical
}

extension MemoryPressure: Comparable {
    /// Returns whether `left` is a lower level of pressure.
    public static func < (left: MemoryPressure, right: MemoryPressure) -> Bool { left.rawValue < right.rawValue }
}
