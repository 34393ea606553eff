import DarkroomCore
import Synchronization

/// The cache of the decoded frames of one animation, shared by its players and released with the last of them.
///
/// All members may be called from any thread. One frame is decoded at a time, on a thread of the executor.
final class FramePool: Sendable {
    private let animation: Animation
    private let transformer: (any ImageTransformer)?
    private let executor: WorkExecutor
    private let budget: FrameBudget
    private let state: Mutex<FramePoolState>
    /// The decoder; its lock serializes decoding. It is cached because decoding the next frame after the last is
    /// cheapest.
    private let decoder = Mutex<(any FrameDecoder)?>(nil)
    /// The transformer resolved for the first frame.
    private let resolved = Mutex<(any ImageTransformer)?>(nil)

    /// Creates a pool of the frames of `animation`, transformed by `transformer`.
    init(
        _ animation: Animation, transformer: (any ImageTransformer)?, executor: WorkExecutor, budget: FrameBudget
    ) {
        self.animation = animation
        self.transformer = transformer
        self.executor = executor
        self.budget = budget
        state = Mutex(FramePoolState(frameCount: animation.frameCount))
        budget.memory?.add(self)
    }

    /// The indices of the cached frames.
    var indices: [Int] { state.withLock { $0.frames.keys.sorted() } }

    /// The cached frames by index.
    var frames: [Int: Frame] { state.withLock { $0.frames } }

    /// Adds a player and returns its number.
    func join() -> Int { state.withLock { $0.join() } }

    /// Removes a player.
    func leave(_ member: Int) { free { $0.leave(member) } }

    /// Updates the needs of player `member`. While it plays, the frame that it needs next is prefetched.
    func update(_ member: Int, needs: FramePoolState.Needs) {
        free { state in
            state.members[member] = needs
            return state.removeExcess()
        }
        if needs.isPlaying { fetch(needs.nextPosition.index) }
    }

    /// Returns the frame at `index` if it is cached, and whether it ever can be.
    func lookUp(_ index: Int) -> (frame: Frame?, availability: Playback.Availability) {
        state.withLock { state in
            let frame = state.frames[index]
            return (frame, frame != nil ? .ready : state.broken.contains(index) ? .broken : .missing)
        }
    }

    /// Starts to decode the frame at `index`, unless it is cached or another decode is in progress; then call it again
    /// later.
    func fetch(_ index: Int) {
        guard state.withLock({ $0.begin(index) }) else { return }
        executor.enqueue { [weak self] in
            guard let self else { return }
            _ = try? load(index)
            state.withLock { $0.isBusy = false }
        }
    }

    /// Returns the frame at `index`, and decodes it if necessary.
    func frame(at index: Int) async throws -> Frame {
        if let frame = lookUp(index).frame { return frame }
        return try await executor.run { [self] in try load(index) }
    }

    /// Adds frames that were decoded elsewhere, where the pool has none.
    func adopt(_ frames: [Int: Frame]) {
        free { $0.adopt(frames) }
    }

    /// Removes all frames, for all players.
    func removeAll() {
        free { $0.removeAll() }
        decoder.withLockIfAvailable { $0 = nil }
    }

    private func load(_ index: Int) throws -> Frame {
        let automatic = budget.automaticByteCount(holding: heldByteCount)
        return try decoder.withLock { decoder in
            if let frame = lookUp(index).frame { return frame }
            free { state in
                state.automaticByteCount = automatic
                return state.removeExcess(makingRoomFor: 1)
            }
            let epoch = state.withLock { $0.epoch }
            do {
                if decoder == nil { decoder = try animation.makeFrameDecoder() }
                let frame = try decode(index, with: &decoder)
                free { $0.cache(frame, at: index, epoch: epoch) }
                return frame
            } catch {
                // A frame for which there was no worker process, or no memory to share with one, can be decoded later.
                if (error as? ImageError)?.kind != .busy { _ = state.withLock { $0.broken.insert(index) } }
                throw error
            }
        }
    }

    private func decode(_ index: Int, with decoder: inout (any FrameDecoder)?) throws -> Frame {
        guard try decoder?.seek(to: index) == true, var frame = try decoder?.nextFrame() else {
            throw ImageError(.incomplete, .decode, "there is no frame \(index)")
        }
        if let transformer = try resolvedTransformer(index == 0 ? frame : nil) {
            frame.bitmap = try transformer.transform(frame.bitmap, for: TransformRequest())
        }
        return frame
    }

    private func resolvedTransformer(_ first: Frame?) throws -> (any ImageTransformer)? {
        guard let transformer else { return nil }
        if let resolved = resolved.withLock({ $0 }) { return resolved }
        var decoder = try animation.makeFrameDecoder()
        guard let first = try first ?? decoder.nextFrame() else { return transformer }
        let result = try transformer.resolved(forFirstFrame: first.bitmap, request: TransformRequest())
        resolved.withLock { $0 = result }
        return result
    }

    /// Runs `body` under the lock and releases the frames it returns after the lock: freeing much memory takes long.
    private func free(_ body: (inout FramePoolState) -> [Frame]) {
        let removed = state.withLock { body(&$0) }
        withExtendedLifetime(removed) {}
    }
}

extension FramePool: MemoryBudget.Tenant {
    /// The number of bytes of all cached frames.
    var heldByteCount: Int { state.withLock { $0.heldByteCount } }

    /// Removes the frames that are needed last, but none that a player is about to show.
    func shrink(by byteCount: Int) {
        free { $0.shrink(by: byteCount) }
    }
}
