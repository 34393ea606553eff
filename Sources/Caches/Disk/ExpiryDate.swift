/// The date of an entry's file that tells how old the entry is.
public enum ExpiryDate: Hashable, Sendable {
    /// The last use.
    case access
    /// When its bytes were stored.
    case modification
    /// The last of everything: its bytes, its metadata, or its date of use were set.
    case change

    /// When its bytes were stored: no file is ever written twice, so that this is the date of modification.
    public static var creation: ExpiryDate { .modification }
}

extension FileStatus {
    /// The moment from which the age counts.
    func time(_ date: ExpiryDate) -> FileTime {
        switch date {
        case .access: accessTime
        case .modification: modificationTime
        case .change: changeTime
        }
    }
}
