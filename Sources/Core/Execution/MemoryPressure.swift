/// How scarce memory is.
public enum MemoryPressure: Int, Hashable, Sendable, CaseIterable {
    /// Not scarce.
    case normal
    /// Work waits for memory now and then: give back what can be had again cheaply.
    case warning
    /// The process may be ended soon: give back all that is not in use.
    case critical
}

extension MemoryPressure: Comparable {
    /// Whether memory is less scarce.
    public static func < (left: MemoryPressure, right: MemoryPressure) -> Bool { left.rawValue < right.rawValue }
}
