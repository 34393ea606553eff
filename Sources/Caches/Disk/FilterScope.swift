import DarkroomFiles

/// Where the filters of sources that a process writes are valid: on one host, until its system ends.
///
/// Hosts that share a folder have different scopes: another start of their systems, or another number of the device.
struct FilterScope: Sendable {
    /// The scope of this process.
    static let current = FilterScope(systemStart: SystemStart.identifier)

    /// Identifies the start of the system; `nil` if that is unknown, so that no filter is valid.
    let systemStart: String?

    /// The number of the device, if it is not that of the file.
    var device: UInt64?

    /// Returns the number that identifies the scope and the file. Zero stands for no filter, and is never returned.
    func era(of file: FileStatus.Identity) -> UInt64? {
        systemStart.map { start in
            // The number after the name changes whenever the meaning of a filter does.
            max(1, MD5Digest(of: "filters 4 \(device ?? file.device) \(file.inode) \(start)").last64Bits)
        }
    }
}
