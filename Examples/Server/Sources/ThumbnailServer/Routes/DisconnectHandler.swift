import NIOCore

/// Tells when the other end of a channel goes away, or says that it will send nothing more.
///
/// Hummingbird lets clients close their half of a connection, and would go on working for one that has left.
private final class DepartureHandler: ChannelInboundHandler, RemovableChannelHandler, Sendable {
    typealias InboundIn = Any

    private let onDeparture: @Sendable () -> Void

    init(onDeparture: @escaping @Sendable () -> Void) { self.onDeparture = onDeparture }

    func channelInactive(context: ChannelHandlerContext) {
        onDeparture()
        context.fireChannelInactive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { onDeparture() }
        context.fireUserInboundEventTriggered(event)
    }
}

extension Channel {
    /// What `work` answers; when the other end goes away it is cancelled, and a `CancellationError` thrown.
    func whileConnected<Result: Sendable>(_ work: @escaping @Sendable () async throws -> Result) async throws -> Result
    {
        let task = Task { try await work() }
        let handler = DepartureHandler { task.cancel() }
        // It fails on a channel that is closed.
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
