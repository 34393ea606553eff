/// A recurring event, of which a newer one may make an older one obsolete.
package protocol FlightEvent: Sendable {
    /// The kind of event of which only the newest counts; `nil` for an event that never becomes obsolete.
    var coalescedKind: Int? { get }
}

extension FlightEvent {
    /// `nil`: by default, no event becomes obsolete.
    package var coalescedKind: Int? { nil }
}

extension Never: FlightEvent {}

extension Array where Element: FlightEvent {
    /// Appends `event` and removes the events that it replaces. The others keep their order.
    mutating func coalesce(_ event: Element) {
        removeEvents(replacedBy: event)
        append(event)
    }

    /// Removes the events that `event` makes obsolete.
    mutating func removeEvents(replacedBy event: Element) {
        if let kind = event.coalescedKind { removeAll { $0.coalescedKind == kind } }
    }
}
