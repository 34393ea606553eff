/// Something that happens again and again, of which some is of no use any more when there is something newer.
protocol FlightEvent: Sendable {
    /// Whether nobody needs `older` once this has happened.
    func replaces(_ older: Self) -> Bool
}

extension FlightEvent {
    /// The default: everything is of use for good.
    func replaces(_ older: Self) -> Bool { false }
}

extension Never: FlightEvent {}

extension Array where Element: FlightEvent {
    /// Adds `event` in place of what it replaces, in the order it all happened.
    mutating func note(_ event: Element) {
        removeAll { event.replaces($0) }
        append(event)
    }
}
