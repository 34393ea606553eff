#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An image, and the memory that was reserved to make it, if any. Whoever delivers the image lets go of both.
struct ReservedImage: Sendable {
    var image: Image
    var reservation: MemoryBudget.Reservation?
    /// What its making took, where those who share it must be told.
    var stages: [LoadReport.Stage] = []
    /// The work that its making took, where those who share it must be charged.
    var workSeconds = 0.0
}

extension ImageManager {
    /// Decodes `data` as soon as the memory budget has room for that; `trace` tells the wait from the work, and times it.
    func decodeReserved(
        _ data: Data, _ coders: CoderRegistry, _ context: ImageContext, _ urgency: Urgency,
        _ cancellation: CancellationFlag, _ trace: LoadTrace
    ) async throws -> ReservedImage {
        let budget = components.memoryBudget
        // A header is read again after the wait, so that nothing is held meanwhile and the clock stands still.
        @Sendable func attempt(_ reservation: MemoryBudget.Reservation?) throws -> Attempt {
            try ImageError.wrap(.decode) {
                let decoding = try Decoding(
                    data, coders: coders, context: context, cancellation: cancellation, clock: trace.clock)
                let byteCount = decoding.estimatedByteCount
                guard let reservation = reservation ?? budget.reserveNow(byteCount, priority: urgency.priority) else {
                    return .needs(byteCount)
                }
                let image = try decoding.image().scaled(context.scale)
                    .preloaded(for: context, decoding.request.checkCancellation)
                return .made(ReservedImage(image: image, reservation: reservation))
            }
        }
        var reservation: MemoryBudget.Reservation?
        while true {
            let result = try await trace.measure(.decode) {
                try await work(cancellation) { [reservation] in try trace.clock.run { try attempt(reservation) } }
            }
            switch result {
            case .made(let image): return image
            case .needs(let byteCount):
                reservation = try await trace.measure(.memory) {
                    try await budget.reserve(byteCount, urgency: urgency)
                }
            }
        }
    }
}

private enum Attempt: Sendable {
    case made(ReservedImage)
    case needs(Int)
}
