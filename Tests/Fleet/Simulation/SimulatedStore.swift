#if os(Linux) || os(macOS)
    import DarkroomFleet
    import DarkroomPlatform

    /// The engine of an object store. An object can be read as soon as the request that stores it has arrived.
    final class SimulatedStore: Sendable {
        let condition: Locked<EngineCondition>
        /// Whether it answers every request with an error.
        let isFailing = Locked(false)
        private let objects = Locked<[String: Data]>([:])

        init(_ condition: EngineCondition) { self.condition = Locked(condition) }

        /// Returns the answer to a request that `serve` answers from the objects, or changes them.
        func answer<Value: Sendable>(
            _ serve: (inout [String: Data]) -> Value
        ) -> Result<Value, SimulatedFailure> {
            isFailing.value ? .failure(.refused) : .success(objects.withLock(serve))
        }
    }

    /// A failure of a simulated part.
    enum SimulatedFailure: Error {
        /// The engine answers with an error.
        case refused
        /// There is no answer in time.
        case timeout
        /// The node that works has died.
        case death
    }

    /// A simulated object store, as one node sees it over its connection.
    struct SimulatedObjects: ObjectStore {
        let store: SimulatedStore
        let link: Link
        let runtime: VirtualRuntime

        func object(_ name: String, byteLimit: Int, deadline: Duration) async throws -> StoredObject? {
            try await call(deadline) { $0[name] }.map { StoredObject($0) }
        }

        func contains(_ name: String, deadline: Duration) async throws -> Bool {
            try await call(deadline) { $0[name] != nil }
        }

        func put(_ bytes: Data, as name: String, deadline: Duration) async throws {
            try await call(deadline) { $0[name] = bytes }
        }

        func remove(_ name: String, deadline: Duration) async throws {
            try await call(deadline) { $0[name] = nil }
        }

        func removeAll(under prefix: String, deadline: Duration) async throws {
            try await call(deadline) { objects in objects = objects.filter { !$0.key.hasPrefix(prefix) } }
        }

        private func call<Value: Sendable>(
            _ deadline: Duration, _ serve: @escaping @Sendable (inout [String: Data]) -> Value
        ) async throws -> Value {
            let answer = await link.answer(by: runtime.now + deadline) { [store] in store.answer(serve) }
            guard let answer else { throw SimulatedFailure.timeout }
            return try answer.get()
        }
    }
#endif
