import DarkroomPlatform
import Synchronization

/// Makes previews of one result while its bytes arrive, and the final image once they are complete.
///
/// One preview is decoded at a time; bytes that arrive meanwhile go into the next one. If memory is short, there are no
/// previews, and the image is left to the ordinary decode.
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
    /// The clock of transforming previews. They have as much time as the whole request, and use none of its time.
    private let clock: WorkClock
    private let schedule = Mutex(Schedule())
    /// The progressive decode. Its lock is held while decoding, so only threads that may block take it.
    private let decode = Mutex<ProgressiveDecode?>(nil)

    init(_ request: Request, pipeline: LoadPipeline, run: LoadPipeline.Results.Run) {
        self.request = request
        self.run = run
        coders = pipeline.coders(for: request)
        executor = pipeline.components.workExecutor
        budget = pipeline.components.memoryBudget
        clock = WorkClock(limit: request.context.limits.workTime)
    }

    /// Schedules a preview of the bytes received so far. Returns at once.
    func bytesArrived(_ received: ReceivedBytes) {
        let starts = schedule.withLock { schedule in
            schedule.received = received
            guard !schedule.isWorking, !schedule.isOver else { return false }
            schedule.isWorking = true
            return true
        }
        if starts { executor.enqueue(urgency: run.urgency) { self.work() } }
    }

    /// Returns the final image of `received`, which is complete; `nil` if previews were made from other bytes, or not
    /// at all.
    ///
    /// Blocks the calling thread. After the call, no preview is emitted, and only the returned image still holds
    /// memory.
    func finish(_ received: ReceivedBytes?) throws -> ReservedImage? {
        schedule.withLock { $0.isOver = true }
        return try decode.withLock { decode in
            defer { decode = nil }
            guard let received, decode?.received === received else { return nil }
            return try decode?.finish()
        }
    }

    /// Ends the previews and releases their memory, for a run that takes another path and may need that memory itself.
    func end() async { _ = try? await executor.run(urgency: run.urgency) { try self.finish(nil) } }

    private func work() {
        while let received = next() {
            let preview = decode.withLock { decode -> Image? in
                // The previews may have ended while this thread waited for the lock.
                guard !isOver else { return nil }
                if decode?.received !== received {
                    decode = ProgressiveDecode(
                        received,
                        settings: .init(
                            coders: coders, context: request.context.forSharedDecode, reduction: request.reduction,
                            cancellation: run.cancellation),
                        reserve: reserve)
                }
                return decode?.preview()
            }
            if let preview = preview.flatMap(finished) { emit(preview) }
        }
    }

    /// Returns the bytes for the next preview, and stops working once there are no new ones.
    private func next() -> ReceivedBytes? {
        schedule.withLock { schedule in
            let received = schedule.isOver ? nil : schedule.received.take()
            schedule.isWorking = received != nil
            return received
        }
    }

    private func emit(_ preview: Image) {
        // The final image is being made, so this preview would come too late.
        guard !isOver else { return }
        run.emit(.preview(preview))
    }

    private var isOver: Bool { schedule.withLock { $0.isOver } }

    /// Reserves memory for previews, which hold it during the whole transfer. Half of the free memory is left to images
    /// whose bytes are complete.
    private func reserve(_ byteCount: Int) -> MemoryBudget.Reservation? {
        guard byteCount <= budget.byteLimit.subtracting(budget.reservedByteCount) / 2 else { return nil }
        return budget.reserveNowForPreview(byteCount, priority: run.urgency.priority)
    }

    /// Returns the preview with the transformers and scale of the request; `nil` if a transformer fails.
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
