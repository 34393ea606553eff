import Synchronization

/// The decoded image from which several sizes of one call are made.
final class SharedDecode: Sendable {
    /// The failure that all sizes of the call share.
    let failure: SharedFailure

    private let base: FlightKey
    private let state = Mutex<(image: Image, original: Original)?>(nil)

    /// Creates a holder for the image that `base`, the request for the largest size, decodes.
    init(base: Request, failure: SharedFailure) {
        self.base = base.resultFlight()
        self.failure = failure
    }

    /// The image with the original it was decoded from, once it is available.
    var decoded: (image: Image, original: Original)? { state.withLock { $0 } }

    /// Accepts `image`, decoded from `original`, if it was decoded for the base request.
    func offer(_ image: Image, of original: Original, for request: Request) {
        guard request.resultFlight() == base else { return }
        state.withLock { $0 = (image, original) }
    }
}

/// The failure to fetch the original of one call, which requests that would fetch it alike do not repeat.
final class SharedFailure: Sendable {
    private let state = Mutex<(error: any Error, flight: FlightKey)?>(nil)

    /// Returns the error with which a request has failed to fetch the same original; `nil` if none has.
    func error(for request: Request) -> (any Error)? {
        guard let (error, flight) = state.withLock({ $0 }), flight == request.originalFlight() else { return nil }
        return error
    }

    /// Accepts the error with which `request` failed, unless it was cancelled.
    func offer(_ error: any Error, for request: Request) {
        guard ImageError(error, in: .load).kind != .cancelled else { return }
        state.withLock { $0 = (error, request.originalFlight()) }
    }
}
