import NIOCore
import Synchronization

/// Remembers whether the remote end of a channel has disconnected, or closed its half of the connection.
///
/// Hummingbird allows clients to close their half, and would continue working for one that has disconnected. A client can
/// be gone before its request is seen, so the handler must be part of the channel from the start.
final class DisconnectHandler: ChannelInboundHandler, RemovableChannelHandler, Sendable {
    typealias InboundIn = Any

    private struct State {
        var isDisconnected = false
        var lastNumber = 0
        var actions: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Mutex(State())

    /// Calls `action` once the remote end disconnects, immediately if it has. Returns a number for ``forget(_:)``.
    func onDisconnect(_ action: @escaping @Sendable () -> Void) -> Int {
        let (number, isDisconnected) = state.withLock { state in
            state.lastNumber += 1
            if !state.isDisconnected { state.actions[state.lastNumber] = action }
            return (state.lastNumber, state.isDisconnected)
        }
        if isDisconnected { action() }
        return number
    }

    /// Removes the action with this number.
    func forget(_ number: Int) { state.withLock { _ = $0.actions.removeValue(forKey: number) } }

    func channelInactive(context: ChannelHandlerContext) {
        disconnect()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { disconnect() }
        context.fireUserInboundEventTriggered(event)
    }

    private func disconnect() {
        let actions = state.withLock { state in
            state.isDisconnected = true
            defer { state.actions = [:] }
            return state.actions
        }
        for action in actions.values { action() }
    }
}

extension Channel {
    /// Returns the result of `work`. If the remote end disconnects, or has disconnected, it cancels `work` and throws a
    /// `CancellationError`.
    func whileConnected<Result: Sendable>(_ work: @escaping @Sendable () async throws -> Result) async throws -> Result
    {
        let handler = try await disconnectHandler()
        let task = Task { try await work() }
        let number = handler.onDisconnect { task.cancel() }
        defer { handler.forget(number) }
        do {
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        } catch {
            throw task.isCancelled ? CancellationError() : error
        }
    }

    /// Returns the handler of this channel. It is added to one of a server that does not have it from the start; a closed
    /// channel accepts none.
    private func disconnectHandler() async throws -> DisconnectHandler {
        try await eventLoop.submit { [pipeline, isActive] in
            if let handler = try? pipeline.syncOperations.handler(type: DisconnectHandler.self) { return handler }
            guard isActive else { throw CancellationError() }
            let handler = DisconnectHandler()
            do {
                try pipeline.syncOperations.addHandler(handler, position: .first)
            } catch {
                throw CancellationError()
            }
            return handler
        }.get()
    }
}
