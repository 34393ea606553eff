public import Hummingbird
public import HummingbirdCore

/// How many clients may be connected, and how long each may take for its part of an exchange.
///
/// What a client must do within a time is to be done by then, however busily it sends a byte now and then.
public struct ConnectionLimits: Hashable, Sendable {
    /// The connections at a time. Others wait in the kernel's queue, unanswered, until one ends.
    public var count = 512

    /// Seconds from the beginning of a connection to the end of its first request's head.
    public var headSeconds = 10.0

    /// Seconds from the end of a request's head to the end of its body.
    public var bodySeconds = 10.0

    /// Seconds from an answer to the end of the next request's head, and to the client's closing where there is none: more
    /// than those after which a proxy closes idle connections, so that it does not send into one that is being closed.
    public var idleSeconds = 75.0

    /// Seconds in which a client must take 16 KiB of an answer, or the rest of it.
    public var writeSeconds = 20.0

    /// The defaults.
    public init() {}

    /// A server of HTTP/1.1 that closes the connections of clients which take longer.
    ///
    /// A request's head may have 32 KiB and 100 fields, each of 16 KiB at most.
    public var server: HTTPServerBuilder {
        .http1(
            configuration: .init(
                additionalChannelHandlers: [ConnectionDeadlines(self)],
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: 16 << 10, maxHeaderListSize: 32 << 10, maxHeaderFieldCount: 100)))
    }

    /// The configuration of a server at `address` that takes ``count`` connections at a time.
    public func configuration(_ address: BindAddress) -> ApplicationConfiguration {
        ApplicationConfiguration(
            address: address, serverName: "darkroom", availableConnectionsDelegate: MaximumAvailableConnections(count))
    }
}
