import Synchronization

/// The decoded image from which several sizes of one call are made.
final class SharedDecode: Sendable {
    private let base: FlightKey
    private let state = Mutex<(image: Image, original: Original)?>(nil)

    /// Creates a holder for the image that `base`, the request for the largest size, decodes.
    init(base: Request) { self.base = base.resultFlight() }

    /// The image with the original it was decoded from, once it is available.
    var decoded: (image: Image, original: Original)? { state.withLock { $0 } }

    /// Accepts `image`, decoded from `original`, if it was decoded for the base request.
    func offer(_ image: Image, of original: Original, for request: Request) {
        guard request.resultFlight() == base else { return }
        state.withLock { $0 = (image, original) }
    }
}
