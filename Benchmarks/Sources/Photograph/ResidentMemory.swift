#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The memory of this process according to Linux, in KiB.
package struct ResidentMemory {
    /// The current resident memory, and its peak.
    package let current, peak: Int

    /// Reads the current values.
    package init() throws {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        func value(_ name: String) -> Int {
            let line = status.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
            return Int(line.filter(\.isNumber)) ?? 0
        }
        (current, peak) = (value("VmRSS:"), value("VmHWM:"))
    }

    /// Resets the peak to the current resident memory.
    package static func resetPeak() throws { try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs")) }
}
