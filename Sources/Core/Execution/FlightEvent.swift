/// A recurring event of a run, where a newer event can make an older one obsolete.
protocol FlightEvent: Sendable {
    /// Returns whether this event makes `older` obsolete.
    func replaces(_ older: Self) -> Bool
}

extension FlightEvent {
    /// Returns `false`: by default, no event becomes obsolete.
    func replaces(_ older: Self) -> Bool { false }
}

extension Never: FlightEvent {}

extension Array where Element: FlightEvent {
    /// Appends `event` and removes the events that it replaces. The others keep their order.
    mutating func note(_ event: Element) {
        removeAll { event.replaces($0) }
        append(event)
    }
}
