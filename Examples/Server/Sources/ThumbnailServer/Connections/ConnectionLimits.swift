public import Hummingbird
public import HummingbirdCore
import NIOCore

/// The limits on the number of connections, and on the time that clients may take.
///
/// Each limit covers a whole step: sending a byte now and then does not extend it.
public struct ConnectionLimits: Hashable, Sendable {
    /// The maximum number of connections. Further ones wait in the kernel's queue until one closes.
    public var count = 512

    /// The time in seconds from accepting a connection to the end of its first request head.
    public var headSeconds = 10.0

    /// The time in seconds from the end of a request head to the end of its body.
    public var bodySeconds = 10.0

    /// The time in seconds from a response to the end of the next request head, or to the client's closing. It must
    /// exceed the idle timeout of a proxy in front, which could otherwise send a request on a connection that is being
    /// closed.
    public var idleSeconds = 75.0

    /// The time in seconds in which a client must read 16 KiB of a response, or the rest of it.
    public var writeSeconds = 20.0

    /// Creates limits with the defaults above.
    public init() {}

    private static let serverName = "darkroom"

    /// Returns an HTTP/1.1 server that closes connections which exceed the limits.
    ///
    /// A request head is limited to 32 KiB and 100 fields of up to 16 KiB. Files that `routes` have in memory are sent
    /// before a responder, and its middleware, see the request.
    public func server(sendingFromMemoryOf routes: ThumbnailRoutes? = nil) -> HTTPServerBuilder {
        .http1(
            configuration: .init(
                additionalChannelHandlers: handlers(sendingFromMemoryOf: routes),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: 16 << 10, maxHeaderListSize: 32 << 10, maxHeaderFieldCount: 100)))
    }

    private func handlers(sendingFromMemoryOf routes: ThumbnailRoutes?) -> [any RemovableChannelHandler] {
        let deadlines = ConnectionDeadlines(self)
        guard let routes else { return [DisconnectHandler(), deadlines] }
        return [
            DisconnectHandler(), deadlines,
            MemoryHitHandler(routes, serverName: Self.serverName, deadlines: deadlines),
        ]
    }

    /// Returns the configuration of a server at `address` that accepts up to ``count`` connections.
    public func configuration(_ address: BindAddress) -> ApplicationConfiguration {
        ApplicationConfiguration(
            address: address, serverName: Self.serverName,
            availableConnectionsDelegate: MaximumAvailableConnections(count))
    }
}
