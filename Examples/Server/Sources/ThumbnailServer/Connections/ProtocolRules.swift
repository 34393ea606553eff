import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// Enforces rules of HTTP/1.1 and 1.0 that the decoder and Hummingbird do not know (RFC 9112).
///
/// A request of HTTP/1.1 without exactly one valid field `Host` ends the connection with status 400. A connection ends
/// after the response to a request that asks for it, in whatever way, and after one of HTTP/1.0 unless that asks for
/// the opposite: the field `Connection` of the request is then `close`, which is all that Hummingbird looks for.
final class ProtocolRules: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// The fate of a connection after a response.
    private enum Ending {
        case implicit
        case close
        /// A client of HTTP/1.0 keeps the connection only if the response says so.
        case keepAlive
    }

    /// The endings of requests whose response has not begun.
    private var endings = CircularBuffer<Ending>()
    /// Whether a request was invalid, so that no bytes after it count.
    private var hasFailed = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !hasFailed else { return }
        guard case .head(var head) = unwrapInboundIn(data) else { return context.fireChannelRead(data) }
        guard head.hasValidHost else {
            hasFailed = true
            return context.fireErrorCaught(HTTPParserError.invalidHeaderToken)
        }
        let ending = Self.ending(of: head)
        endings.append(ending)
        if ending == .close { head.headers.replaceOrAdd(name: "Connection", value: "close") }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = unwrapOutboundIn(data), !head.status.isInformational,
            let ending = endings.popFirst(), ending == .close || ending == .keepAlive && head.isKeepAlive
        else { return context.write(data, promise: promise) }
        head.headers.replaceOrAdd(name: "Connection", value: ending == .close ? "close" : "keep-alive")
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }

    /// Adds the rules to the pipeline of `context`, between the decoder and Hummingbird's codec.
    static func install(in context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        // Neither fails: the handler that calls this is part of an open pipeline.
        guard let codec = try? pipeline.handler(type: HTTP1ToHTTPServerCodec.self) else { return }
        try? pipeline.addHandler(ProtocolRules(), position: .before(codec))
    }

    private static func ending(of head: HTTPRequestHead) -> Ending {
        guard head.isKeepAlive else { return .close }
        return head.isOfOldVersion ? .keepAlive : .implicit
    }
}

extension HTTPRequestHead {
    /// Whether the version, whose first number is 1, is below 1.1.
    fileprivate var isOfOldVersion: Bool { version.minor < 1 }

    /// Whether the field `Host` is as its version requires: of HTTP/1.1, there is one, and no request has more.
    fileprivate var hasValidHost: Bool {
        let hosts = headers["Host"]
        guard let host = hosts.first else { return isOfOldVersion }
        return hosts.count == 1 && host.utf8.allSatisfy(\.isOfHost)
    }
}

extension HTTPResponseStatus {
    fileprivate var isInformational: Bool { (100..<200).contains(code) }
}

extension UInt8 {
    /// Whether a host or a port may contain the byte (RFC 3986, section 3.2).
    fileprivate var isOfHost: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~!$&'()*+,;=:[]%".utf8.contains(self)
        }
    }
}
