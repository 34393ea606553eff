#if HTTP
    import DarkroomCore
    import Synchronization

    /// Lets a bounded number of transfers run at once; the others wait in the order they came.
    final class TransferSlots: Sendable {
        private struct Waiter {
            let id: Int
            let continuation: CheckedContinuation<TransferSlot, any Error>
        }

        private struct State {
            var limit: Int
            var taken = 0
            var waiters: [Waiter] = []
            var lastID = 0

            /// The waiters whose turn it is; their slots count as taken.
            mutating func admit() -> [Waiter] {
                let count = min(max(0, limit - taken), waiters.count)
                taken += count
                defer { waiters.removeFirst(count) }
                return Array(waiters.prefix(count))
            }
        }

        private let state: Mutex<State>

        /// At most `limit` slots, at least 1.
        init(limit: Int) { state = Mutex(State(limit: max(1, limit))) }

        /// How many may be taken at once.
        var limit: Int {
            get { state.withLock(\.limit) }
            set { update { $0.limit = max(1, newValue) } }
        }

        /// How many slots are taken or waited for.
        var count: Int { state.withLock { $0.taken + $0.waiters.count } }

        /// A slot, when there is one. Cancelling the task leaves the queue at once.
        func acquire() async throws -> TransferSlot {
            let id = state.withLock { state in
                state.lastID += 1
                return state.lastID
            }
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    enqueue(Waiter(id: id, continuation: continuation))
                }
            } onCancel: {
                leave(id)
            }
        }

        /// Gives back a slot.
        fileprivate func release() { update { $0.taken -= 1 } }

        private func enqueue(_ waiter: Waiter) {
            // The handler may have run before there was anybody to remove; then the task is cancelled already.
            var isCancelled = false
            update { state in
                isCancelled = Task.isCancelled
                if !isCancelled { state.waiters.append(waiter) }
            }
            if isCancelled { waiter.continuation.resume(throwing: ImageError.cancelled) }
        }

        private func leave(_ id: Int) {
            let waiter = state.withLock { state in
                state.waiters.firstIndex { $0.id == id }.map { state.waiters.remove(at: $0) }
            }
            waiter?.continuation.resume(throwing: ImageError.cancelled)
        }

        private func update(_ change: (inout State) -> Void) {
            let admitted = state.withLock { state in
                change(&state)
                return state.admit()
            }
            for waiter in admitted { waiter.continuation.resume(returning: TransferSlot(of: self)) }
        }
    }

    /// The right to run one transfer, until it is released or forgotten.
    final class TransferSlot: Sendable {
        private let slots: Mutex<TransferSlots?>

        fileprivate init(of slots: TransferSlots) { self.slots = Mutex(slots) }

        deinit { release() }

        /// Gives the slot back; a second time does nothing.
        func release() { slots.withLock { $0.take() }?.release() }
    }
#endif
