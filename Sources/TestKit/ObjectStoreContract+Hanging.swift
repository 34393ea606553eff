import DarkroomCore
import DarkroomFleet
import DarkroomPlatform

extension ObjectStoreContract {
    /// Runs a closure while the engine accepts requests, or not even that, and does not respond.
    public typealias Hang = @Sendable (_ body: @Sendable () async throws -> Void) async throws -> Void

    /// Checks that each call to an engine that hangs ends with an error at its deadline, within `timeout` at the latest.
    public func checkDeadlines(timeout: Duration = .seconds(60), whileHanging hang: Hang) async throws {
        try await hang {
            for (name, call) in calls {
                let task = Task { [store] in try await call(store, .milliseconds(100)) }
                guard let result = await task.result(within: timeout) else {
                    task.cancel()
                    throw subject.violation("\(name) continues after its deadline")
                }
                try requireFailure(result, "\(name) beyond its deadline")
            }
        }
    }

    /// Checks that each call to an engine that hangs ends when its task is cancelled, within `timeout` at the latest.
    public func checkCancellation(timeout: Duration = .seconds(60), whileHanging hang: Hang) async throws {
        try await hang {
            for (name, call) in calls {
                let task = Task { [store] in try await call(store, .seconds(3_600)) }
                // Some are cancelled before they have begun, and the others while they wait.
                _ = name == "contains" ? nil : await task.result(within: .milliseconds(100))
                task.cancel()
                guard let result = await task.result(within: timeout) else {
                    throw subject.violation("\(name) continues after it was cancelled")
                }
                try requireFailure(result, "\(name), cancelled,")
            }
        }
    }

    private typealias HangingCall = @Sendable (any ObjectStore, _ deadline: Duration) async throws -> Void

    private var calls: [(name: String, call: HangingCall)] {
        let name = "\(prefix)hanging"
        return [
            ("object", { _ = try await $0.object(name, byteLimit: 100, deadline: $1) }),
            ("contains", { _ = try await $0.contains(name, deadline: $1) }),
            ("put", { try await $0.put(Data([1]), as: name, deadline: $1) }),
            ("remove", { try await $0.remove(name, deadline: $1) }),
            ("removeAll", { try await $0.removeAll(under: name, deadline: $1) }),
        ]
    }

    private func requireFailure(_ result: Result<Void, any Error>, _ circumstances: String) throws {
        guard case .failure(let error) = result else {
            throw subject.violation("\(circumstances) succeeds, although the engine hangs")
        }
        try requireProper(error, circumstances)
    }
}
