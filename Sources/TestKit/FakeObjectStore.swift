import DarkroomCore
public import DarkroomFleet
public import DarkroomPlatform
import Synchronization

/// An object store in memory for tests, which records its calls, and can be made to fail or to hang.
///
/// Several fleets of one process can share it, as nodes share a bucket.
public final class FakeObjectStore: ObjectStore {
    /// The kind of a call.
    public enum Operation: Hashable, Sendable, CaseIterable {
        /// A call of ``FakeObjectStore/object(_:byteLimit:deadline:)``.
        case get
        /// A call of ``FakeObjectStore/contains(_:deadline:)``.
        case contains
        /// A call of ``FakeObjectStore/put(_:as:deadline:)``.
        case put
        /// A call of ``FakeObjectStore/remove(_:deadline:)``.
        case remove
        /// A call of ``FakeObjectStore/removeAll(under:deadline:)``.
        case removeAll
    }

    /// A call.
    public struct Call: Hashable, Sendable {
        /// The kind of the call.
        public let operation: Operation
        /// The name of the object, or the prefix.
        public let name: String
    }

    private struct Object {
        let bytes: Data
        let storedAt: Duration
    }

    private struct State {
        var objects: [String: Object] = [:]
        var failures: [Operation: any Error] = [:]
        var gates: [Operation: Gate] = [:]
    }

    private let state = Mutex(State())
    private let stopwatch: Stopwatch
    private let pause: @Sendable (Duration) async throws -> Void

    /// The calls so far, in order, including those that failed.
    public let calls = Recorder<Call>()

    /// Creates an empty store. `clock` measures the age of objects and the deadlines of calls that wait at a gate.
    public init<C: Clock>(clock: C = ContinuousClock()) where C.Duration == Duration {
        stopwatch = Stopwatch(clock)
        pause = { try await clock.sleep(for: $0) }
    }

    /// Makes every subsequent call of `operations` throw `error`; `nil` restores normal operation. A failing call has
    /// no effect.
    public func fail(_ operations: Operation..., with error: (any Error)?) {
        change(operations) { state, operation in state.failures[operation] = error }
    }

    /// Makes every subsequent call of `operations` wait at `gate` before it has an effect; `nil` restores normal
    /// operation.
    ///
    /// A waiting call fails at its deadline and when it is cancelled, without an effect.
    public func hold(_ operations: Operation..., at gate: Gate?) {
        change(operations) { state, operation in state.gates[operation] = gate }
    }

    /// The names of all objects.
    public var names: Set<String> { state.withLock { Set($0.objects.keys) } }

    /// Returns the bytes of the object `name` without recording a call; `nil` if there is none.
    public func bytes(of name: String) -> Data? { state.withLock { $0.objects[name]?.bytes } }

    /// Replaces the bytes of the object `name` without recording a call; `nil` removes it.
    public func set(_ bytes: Data?, as name: String) {
        let storedAt = stopwatch.elapsed()
        state.withLock { $0.objects[name] = bytes.map { Object(bytes: $0, storedAt: storedAt) } }
    }

    /// Returns the number of calls of `operation`.
    public func callCount(of operation: Operation) -> Int { calls.values.count { $0.operation == operation } }

    /// Returns the object and its age, if there is memory for it.
    public func object(_ name: String, byteLimit: Int, deadline: Duration) async throws -> StoredObject? {
        try await begin(.get, name, deadline: deadline)
        guard let object = state.withLock({ $0.objects[name] }) else { return nil }
        guard object.bytes.count <= byteLimit else {
            throw ImageError(.overLimit, .cache, "the object \(name) has more than \(byteLimit) bytes")
        }
        try await EntryMemory.current.reserve(object.bytes.count)
        return StoredObject(object.bytes, age: stopwatch.elapsed() - object.storedAt)
    }

    /// Returns whether there is an object.
    public func contains(_ name: String, deadline: Duration) async throws -> Bool {
        try await begin(.contains, name, deadline: deadline)
        return state.withLock { $0.objects[name] != nil }
    }

    /// Stores the object.
    public func put(_ bytes: Data, as name: String, deadline: Duration) async throws {
        try await begin(.put, name, deadline: deadline)
        set(bytes, as: name)
    }

    /// Removes the object.
    public func remove(_ name: String, deadline: Duration) async throws {
        try await begin(.remove, name, deadline: deadline)
        set(nil, as: name)
    }

    /// Removes all objects whose names begin with `prefix`.
    public func removeAll(under prefix: String, deadline: Duration) async throws {
        try await begin(.removeAll, prefix, deadline: deadline)
        state.withLock { state in state.objects = state.objects.filter { !$0.key.utf8.starts(with: prefix.utf8) } }
    }

    private func change(_ operations: [Operation], _ body: (inout State, Operation) -> Void) {
        state.withLock { state in
            for operation in operations.isEmpty ? Operation.allCases : operations { body(&state, operation) }
        }
    }

    /// Records a call, waits at its gate, and throws its error.
    private func begin(_ operation: Operation, _ name: String, deadline: Duration) async throws {
        calls.note(Call(operation: operation, name: name))
        try Task.checkCancellation()
        if let gate = state.withLock({ $0.gates[operation] }) { try await wait(at: gate, atMost: deadline) }
        if let failure = state.withLock({ $0.failures[operation] }) { throw failure }
        guard operation == .removeAll || name.isObjectName else {
            throw ImageError(.refused, .cache, "\(name.debugDescription) is not the name of an object")
        }
    }

    private func wait(at gate: Gate, atMost deadline: Duration) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await gate.waitUnlessCancelled() }
            group.addTask { [pause] in
                try await pause(deadline)
                throw ImageError(.timedOut, .cache, "the object store did not respond within \(deadline)")
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}

extension String {
    /// Whether an object may have this name.
    fileprivate var isObjectName: Bool {
        !isEmpty && utf8.allSatisfy { $0.isASCIIAlphanumeric || "/-_.".utf8.contains($0) }
    }
}
