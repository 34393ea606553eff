public import Hummingbird
public import NIOCore

/// What the routes need to know about a request: who is at the other end, and whether anybody still is.
public protocol ConnectedRequestContext: RequestContext {
    /// The connection, or the stream of one, that the request came over.
    var channel: any Channel { get }
}

/// A request's context that knows its connection, and nothing else.
public struct ThumbnailContext: ConnectedRequestContext {
    /// What the framework keeps about the request.
    public var coreContext: CoreRequestContextStorage

    /// The connection.
    public let channel: any Channel

    /// A context of a request from `source`.
    public init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        channel = source.channel
    }
}
