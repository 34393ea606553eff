import DarkroomPlatform

/// A decode that waits until the memory budget has room for it.
struct DecodeJob: Sendable {
    /// The scope of the run that waits for the image.
    let scope: WorkScope

    private let data: Data
    private let coders: CoderRegistry
    private let context: ImageContext
    private let reduction: Reduction?

    /// Creates a job that decodes `data` with `coders` and the options of `context`, at a smaller size if `reduction` allows
    /// that.
    init(
        _ data: Data, coders: CoderRegistry, context: ImageContext, reduction: Reduction? = nil, scope: WorkScope
    ) {
        self.data = data
        self.coders = coders
        self.context = context
        self.reduction = reduction
        self.scope = scope
    }

    /// Returns the same job for all callers that share `run`, with its own clock.
    func joined(to run: LoadPipeline.Decodes.Run) -> DecodeJob {
        let scope = WorkScope(
            urgency: run.urgency, cancellation: run.cancellation, clock: WorkClock(limit: context.limits.workTime))
        return DecodeJob(data, coders: coders, context: context, reduction: reduction, scope: scope)
    }

    /// Decodes the image and returns it with its memory reservation. `trace` records waiting and decoding separately.
    func run(on pipeline: LoadPipeline, trace: LoadTrace) async throws -> ReservedImage {
        let budget = pipeline.components.memoryBudget
        var reservation: MemoryBudget.Reservation?
        while true {
            let result = try await trace.measure(.decode) {
                try await pipeline.work(scope) { [self, reservation] in
                    try scope.clock.run { try attempt(holding: reservation, of: budget) }
                }
            }
            switch result {
            case .made(var image, let method):
                image.workTime = scope.clock.timeSpent
                if let method { trace.describe(.decode, as: method) }
                return image
            case .needs(let byteCount):
                reservation = try await trace.measure(.memory) {
                    try await budget.reserve(byteCount, urgency: scope.urgency)
                }
            }
        }
    }

    /// Decodes if the memory is available. After a wait the header is read again, so that no decoder is held and no
    /// decode time passes during the wait.
    private func attempt(holding reservation: MemoryBudget.Reservation?, of budget: MemoryBudget) throws -> Attempt {
        try ImageError.wrap(.decode) {
            var source = InfoRequest(
                data: data, limits: context.limits, cancellation: scope.cancellation, clock: scope.clock)
            let priority = scope.urgency.priority
            var early: MemoryBudget.Reservation?
            if coders.host != nil, reduction == nil {
                // A small part of what is available, so that others do not wait for it, and caches keep their images.
                early = reservation ?? budget.reserveNow(budget.availableByteCount / 8, priority: priority)
                source.nextDecode = early.map { (context, $0.byteCount) }
            }
            let decoding = try Decoding(source, coders: coders, context: context, reduction: reduction)
            let byteCount = decoding.estimatedByteCount
            guard
                let reservation = reservation ?? early?.shrunk(to: byteCount)
                    ?? budget.reserveNow(byteCount, priority: priority)
            else { return .needs(byteCount) }
            let image = try decoding.image().scaled(context.scale).preloaded(for: context, scope)
            return .made(ReservedImage(image: image, reservation: reservation), method: decoding.request.method)
        }
    }
}

/// An image and the memory reservation for decoding it, if any. Both are released when the image is delivered.
struct ReservedImage: Sendable {
    var image: Image
    var reservation: MemoryBudget.Reservation?
    /// The stages of the decode, for the report of each run that shares it.
    var stages: [LoadReport.Stage] = []
    /// The number of seconds that decoding took. They count for each run that shares the image.
    var workTime = Duration.zero
}

private enum Attempt: Sendable {
    case made(ReservedImage, method: String?)
    case needs(Int)
}
