import Synchronization

/// The decoded picture that several sizes of one call are made of.
final class SharedDecode: Sendable {
    private let base: FlightKey
    private let state = Mutex<(image: Image, original: Original)?>(nil)

    /// A place for the picture that `base`, the request for the largest size, decodes.
    init(base: Request) { self.base = base.resultFlight }

    /// The picture and the very original it was made of, once it is there.
    var made: (image: Image, original: Original)? { state.withLock { $0 } }

    /// Takes `image` of `original` if it was made for the base.
    func offer(_ image: Image, of original: Original, for request: Request) {
        guard request.resultFlight == base else { return }
        state.withLock { $0 = (image, original) }
    }
}
