/// The tickets with which a load stores, one for each cache.
///
/// They stay with an original and with each image made from it, so that nothing made from an old version is stored,
/// however late. It is a class to keep images small.
final class StoreTickets: Sendable {
    let images: StoreTicket
    let results: StoreTicket
    let originals: StoreTicket

    /// The caches that they are for; `nil` for the caches of a single request.
    private let owner: ObjectIdentifier?

    /// The tickets of a load that stores nothing.
    static let refused = StoreTickets(images: .refused, results: .refused, originals: .refused, owner: nil)

    convenience init(images: StoreTicket, results: StoreTicket, originals: StoreTicket, owner: ManagerCaches?) {
        self.init(images: images, results: results, originals: originals, ownerID: owner.map { ObjectIdentifier($0) })
    }

    private init(images: StoreTicket, results: StoreTicket, originals: StoreTicket, ownerID: ObjectIdentifier?) {
        self.images = images
        self.results = results
        self.originals = originals
        owner = ownerID
    }

    /// Returns other tickets for the same caches.
    func replacing(images: StoreTicket, results: StoreTicket, originals: StoreTicket) -> StoreTickets {
        StoreTickets(images: images, results: results, originals: originals, ownerID: owner)
    }

    /// Returns whether they are for the caches of `manager`.
    func belong(to manager: ManagerCaches) -> Bool { owner == ObjectIdentifier(manager) }
}
