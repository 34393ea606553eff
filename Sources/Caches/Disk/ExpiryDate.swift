import DarkroomFiles

/// The date that determines the age of an entry.
public enum ExpiryDate: Hashable, Sendable {
    /// The last use.
    case access
    /// The time when the data was stored.
    case modification
    /// The last change of any kind: of the data, the metadata, or the time of last use.
    case change

    /// The time when the data was stored. Files are never overwritten, so this equals the modification date.
    public static var creation: ExpiryDate { .modification }
}

extension FileStatus {
    /// Returns the time from which the age is computed.
    func time(_ date: ExpiryDate) -> FileTime {
        switch date {
        case .access: accessTime
        case .modification: modificationTime
        case .change: changeTime
        }
    }
}
