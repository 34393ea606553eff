import DarkroomCore

/// The last start of the operating system.
enum SystemStart {
    /// A text that no other start has; `nil` if the system provides none. Linux does (`random(4)`, `boot_id`).
    static let identifier = SystemFile.text(of: "/proc/sys/kernel/random/boot_id")
}
