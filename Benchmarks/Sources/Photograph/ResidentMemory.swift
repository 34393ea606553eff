#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What Linux says of this process's memory, in KiB.
package struct ResidentMemory {
    /// What is resident now, and the most that ever was.
    package let current, peak: Int

    /// Read now.
    package init() throws {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        func value(_ name: String) -> Int {
            let line = status.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
            return Int(line.filter(\.isNumber)) ?? 0
        }
        (current, peak) = (value("VmRSS:"), value("VmHWM:"))
    }

    /// Lets the peak begin anew at what is resident now.
    package static func forgetPeak() throws { try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs")) }
}
