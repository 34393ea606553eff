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

extension FileStatus {
    /// Returns the time that determines the order of eviction at `now`.
    ///
    /// A time far in the future is that of a clock that was wrong. Nothing is known of such a use, so it counts as the
    /// oldest; otherwise the entry would stay for years, whatever else is evicted.
    func evictionTime(_ date: ExpiryDate, now: FileTime) -> FileTime {
        let time = time(date)
        // A clock that was set back by hours, such as to another time zone, leaves the order of uses as it was.
        return time > now.advanced(bySeconds: 86_400) ? FileTime(nanoseconds: .min) : time
    }
}
