public import Hummingbird
public import NIOCore

/// A request context that provides the connection: its remote address, and whether it is still open.
public protocol ConnectedRequestContext: RequestContext {
    /// The connection of the request, or the stream within it.
    var channel: any Channel { get }
}

/// A request context that stores only the connection.
public struct ThumbnailContext: ConnectedRequestContext {
    /// The data of the framework.
    public var coreContext: CoreRequestContextStorage

    /// The connection.
    public let channel: any Channel

    /// Creates the context of a request from `source`.
    public init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }
}
