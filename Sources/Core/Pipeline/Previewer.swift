import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Makes previews of one result while its bytes arrive, and the picture itself when all are there.
///
/// One preview is in the making at a time; bytes that come meanwhile wait for the next one. Where memory is short there
/// are none, and the picture is left to the plain decode.
final class Previewer: Sendable {
    private struct Schedule {
        var received: ReceivedBytes?
        var isWorking = false
        var isOver = false
    }

    private let request: Request
    private let coders: CoderRegistry
    private let executor: WorkExecutor
    private let budget: MemoryBudget
    private let run: LoadPipeline.Results.Run
    /// Previews have as much time to be transformed as the request has for all: what they lose the picture does not.
    private let clock: WorkClock
    private let schedule = Mutex(Schedule())
    /// Locked while decoding, on threads that may wait.
    private let picture = Mutex<ProgressiveDecode?>(nil)

    init(_ request: Request, pipeline: LoadPipeline, run: LoadPipeline.Results.Run) {
        self.request = request
        self.run = run
        coders = pipeline.coders(for: request)
        executor = pipeline.components.workExecutor
        budget = pipeline.components.memoryBudget
        clock = WorkClock(limit: request.context.limits.workSeconds)
    }

    /// Notes that there are more bytes. It returns at once.
    func bytesArrived(_ received: ReceivedBytes) {
        let starts = schedule.withLock { schedule in
            schedule.received = received
            guard !schedule.isWorking, !schedule.isOver else { return false }
            schedule.isWorking = true
            return true
        }
        if starts { executor.enqueue { self.work() } }
    }

    /// The picture of `received`, all of whose bytes are there; `nil` when previews of something else were made, or none.
    ///
    /// It blocks its thread. No preview is shown after it was called, and nothing is held but what it answers.
    func finish(_ received: ReceivedBytes?) throws -> ReservedImage? {
        schedule.withLock { $0.isOver = true }
        return try picture.withLock { picture in
            defer { picture = nil }
            guard let received, picture?.received === received else { return nil }
            return try picture?.finish()
        }
    }

    /// Shows no more and lets go of everything, for a run that goes another way: it may need that memory itself.
    func end() async { _ = try? await executor.run { try self.finish(nil) } }

    private func work() {
        while let received = next() {
            let preview = picture.withLock { picture -> Image? in
                // It may have ended while this waited for the lock.
                guard !isOver else { return nil }
                if picture?.received !== received {
                    picture = ProgressiveDecode(
                        received, coders: coders, context: request.context, cancellation: run.cancellation,
                        reserve: reserve)
                }
                return picture?.preview()
            }
            if let preview = preview.flatMap(finished) { emit(preview) }
        }
    }

    /// What to look at next, until no more bytes have come since.
    private func next() -> ReceivedBytes? {
        schedule.withLock { schedule in
            let received = schedule.isOver ? nil : schedule.received.take()
            schedule.isWorking = received != nil
            return received
        }
    }

    private func emit(_ preview: Image) {
        // A preview that is ready when the picture is being finished would come too late to be of use.
        guard !isOver else { return }
        run.emit(.preview(preview))
    }

    private var isOver: Bool { schedule.withLock { $0.isOver } }

    /// Memory for previews, which hold it for as long as the transfer takes: half of what is free is left to pictures whose
    /// bytes are there.
    private func reserve(_ byteCount: Int) -> MemoryBudget.Reservation? {
        guard byteCount <= budget.byteLimit.subtracting(budget.reservedByteCount) / 2 else { return nil }
        return budget.reserveNowForPreview(byteCount, priority: run.urgency.priority)
    }

    /// The preview as the request wants its picture; `nil` when a transformer fails.
    private func finished(_ preview: Image) -> Image? {
        let transformers = request.context.transformers
        var image = preview
        if !transformers.isEmpty, preview.animation == nil || request.context.transformsAnimations {
            let work = TransformRequest(context: request.context, cancellation: run.cancellation, clock: clock)
            guard let changed = try? clock.run({ try preview.transformed(by: transformers, work) }) else { return nil }
            image = changed
        }
        return image.scaled(request.key?.scaleInName)
    }
}
