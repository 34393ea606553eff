public import Hummingbird
public import NIOCore

/// A request's context that knows the client's address, as the routes need it.
public struct ThumbnailContext: RequestContext, RemoteAddressRequestContext {
    /// What the framework keeps about the request.
    public var coreContext: CoreRequestContextStorage

    /// The other end of the connection; `nil` for one that has no address.
    public let remoteAddress: SocketAddress?

    /// A context of a request from `source`.
    public init(source: ApplicationRequestContextSource) {
        coreContext = .init(source: source)
        remoteAddress = source.channel.remoteAddress
    }
}
