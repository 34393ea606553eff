import NIOCore

/// Reports when the remote end of a channel disconnects, or closes its half of the connection.
///
/// Hummingbird allows clients to close their half, and would continue working for one that has disconnected.
private final class DisconnectHandler: ChannelInboundHandler, RemovableChannelHandler, Sendable {
    typealias InboundIn = Any

    private let onDisconnect: @Sendable () -> Void

    init(onDisconnect: @escaping @Sendable () -> Void) { self.onDisconnect = onDisconnect }

    func channelInactive(context: ChannelHandlerContext) {
        onDisconnect()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { onDisconnect() }
        context.fireUserInboundEventTriggered(event)
    }
}

extension Channel {
    /// Returns the result of `work`. If the remote end disconnects, it cancels `work` and throws a `CancellationError`.
    func whileConnected<Result: Sendable>(_ work: @escaping @Sendable () async throws -> Result) async throws -> Result
    {
        let task = Task { try await work() }
        let handler = DisconnectHandler { task.cancel() }
        // Adding a handler to a closed channel fails.
        do { try await pipeline.addHandler(handler, position: .first) } catch { task.cancel() }
        defer { pipeline.removeHandler(handler, promise: nil) }
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
}
