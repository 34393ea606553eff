public import Hummingbird
public import HummingbirdCore
import NIOCore

/// The limits on the number of connections, and on the time that clients may take.
///
/// Each limit covers a whole step: sending a byte now and then does not extend it.
public struct ConnectionLimits: Hashable, Sendable {
    /// The maximum number of connections. Another one takes the place of the one that has been idle for the longest
    /// time; if none is idle, it is part of the reserve.
    public var count = 512

    /// The maximum number of connections of one client, an IPv4 address or the /64 prefix of an IPv6 address; `nil` for
    /// no limit, which a server behind a proxy needs. Another one takes the place of one that is idle, and is refused if
    /// none is.
    public var countPerClient: Int? = 100

    /// The number of connections beyond ``count`` that can ask for the state of the server. Other requests over half of
    /// them wait for a regular place, and over the others are refused. Further connections wait in the kernel's queue.
    public var reserveCount = 32

    /// The number of connections that a server accepts: ``count``, and the reserve.
    public var totalCount: Int { count + reserveCount }

    /// The time from accepting a connection to the end of its first request head.
    public var headTimeout = Duration.seconds(10)

    /// The time from the end of a request head to the end of its body.
    public var bodyTimeout = Duration.seconds(10)

    /// The time from a response to the end of the next request head, or to the client's closing. It must
    /// exceed the idle timeout of a proxy in front, which could otherwise send a request on a connection that is being
    /// closed.
    public var idleTimeout = Duration.seconds(75)

    /// The time in which a client must read 16 KiB of a response, or the rest of it.
    public var writeTimeout = Duration.seconds(20)

    /// Creates limits with the defaults above.
    public init() {}

    private static let serverName = "darkroom"

    /// Returns an HTTP/1.1 server that closes connections which exceed the limits.
    ///
    /// A request head is limited to 32 KiB and 100 fields of up to 16 KiB. Files that `routes` have in memory are sent
    /// before a responder, and its middleware, see the request, and so is the state of the server that `operations` have.
    public func server(
        sendingFromMemoryOf routes: ThumbnailRoutes? = nil, answering operations: OperationRoutes? = nil
    ) -> HTTPServerBuilder {
        server(sendingFromMemoryOf: routes, answering: operations, registry: ConnectionRegistry(self))
    }

    /// Returns the server, whose connections are those of `registry`.
    func server(
        sendingFromMemoryOf routes: ThumbnailRoutes?, answering operations: OperationRoutes? = nil,
        registry: ConnectionRegistry
    ) -> HTTPServerBuilder {
        .http1(
            configuration: .init(
                additionalChannelHandlers: handlers(routes, operations, registry: registry),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: 16 << 10, maxHeaderListSize: 32 << 10, maxHeaderFieldCount: 100)))
    }

    private func handlers(
        _ routes: ThumbnailRoutes?, _ operations: OperationRoutes?, registry: ConnectionRegistry
    ) -> [any RemovableChannelHandler] {
        let place = ConnectionPlace()
        let deadlines = ConnectionDeadlines(self, place: place, in: registry)
        var handlers: [any RemovableChannelHandler] = [
            DisconnectHandler(), deadlines, AdmissionHandler(registry, place: place),
        ]
        if let operations { handlers.append(OperationHandler(operations, serverName: Self.serverName)) }
        guard let routes else { return handlers }
        return handlers + [MemoryHitHandler(routes, serverName: Self.serverName, deadlines: deadlines)]
    }

    /// Returns the configuration of a server at `address` that accepts up to ``totalCount`` connections.
    public func configuration(_ address: BindAddress) -> ApplicationConfiguration {
        ApplicationConfiguration(
            address: address, serverName: Self.serverName,
            availableConnectionsDelegate: MaximumAvailableConnections(totalCount))
    }
}
