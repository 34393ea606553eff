public import DarkroomPlatform

extension ManualClock {
    /// The current date, for managers, caches and origin servers. The clock starts at the date that the examples of RFC 9110
    /// use.
    public var date: Date { Date(timeIntervalSince1970: 784_111_777) + now.offset / .seconds(1) }
}
