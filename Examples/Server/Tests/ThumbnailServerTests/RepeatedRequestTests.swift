import Darkroom
import DarkroomTestKit
import Foundation
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import Testing

@testable import ThumbnailServer

/// Requests that are answered before they are parsed, because they are the same as an earlier one.
@Suite(.bounded)
struct RepeatedRequestTests {
    private static let hit = "GET \(path("hit")) HTTP/1.1\r\nHost: localhost\r\n\r\n"

    private static func path(_ name: String, side: Int = 9) -> String {
        "/insecure/thumbnail:\(side)x\(side)+format:png/https%3A%2F%2Fexample.com%2F\(name).png"
    }

    /// Requests of all kinds. Those for `hit` are in memory, and bodies look like requests for it.
    private static let requests = [
        hit, hit, hit, hit.replacing("GET", with: "HEAD"),
        hit.replacing("Host", with: "If-None-Match: *\r\nHost"),
        hit.replacing("Host", with: "X-Unknown: 1\r\nHost"),
        hit.replacing("hit", with: "miss"),
        "POST /other HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(hit.utf8.count)\r\n\r\n\(hit)",
        "GET /other HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(2 * hit.utf8.count)\r\n\r\n\(hit)\(hit)",
        "POST /other HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "\(String(hit.utf8.count, radix: 16))\r\n\(hit)\r\n0\r\n\r\n",
        "GET /other HTTP/1.1\r\nX-Long: \(hit)", "GET \(path("hit", side: 2)) HTTP/1.1\r\nX-Long: \(hit)",
    ]

    /// However the bytes are divided, the responses are the same as when they arrive at once, when all are parsed.
    @Test(arguments: 0..<12)
    func responsesDoNotDependOnTheDivisionOfTheBytes(seed: UInt64) async throws {
        let routes = try await routesWithHit()
        var random = SeededGenerator(seed: seed)
        let requests = (0..<60).map { _ in Self.requests.randomElement(using: &random)! }
        // After the first of these, which is parsed, no bytes are left.
        let last = [Self.hit, Self.hit, Self.hit]
        let whole = try Connection(routes)
        try whole.receive((requests + last).joined())
        let divided = try Connection(routes)
        var pieces: [String] = []
        for piece in requests.flatMap({ Self.pieces(of: $0, &random) }) {
            // Some arrive together with what follows.
            if Int.random(in: 0..<4, using: &random) == 0, let last = pieces.popLast() {
                pieces.append(last + piece)
            } else {
                pieces.append(piece)
            }
        }
        for piece in pieces { try divided.receive(piece) }
        for request in last { try divided.receive(request) }
        let (sent, expected) = (try divided.sent(), try whole.sent())
        let difference = zip(sent, expected).first { $0 != $1 }.map { "\($0) instead of \($1)" } ?? ""
        #expect(sent == expected, "\(difference)")
        #expect(divided.handler.headCount < whole.handler.headCount, "every request was parsed")
    }

    /// Returns all of `request`, pieces of any size, or two pieces of which the second looks like a request.
    private static func pieces(of request: String, _ random: inout SeededGenerator) -> [String] {
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
            var (pieces, rest) = ([String](), Array(request.utf8)[...])
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 1...rest.count, using: &random))
                pieces.append(String(decoding: piece, as: UTF8.self))
                rest = rest.dropFirst(piece.count)
            }
            return pieces
        case 1:
            guard let start = request.ranges(of: "GET /insecure").last?.lowerBound else { return [request] }
            return [String(request[..<start]), String(request[start...])].filter { !$0.isEmpty }
        default: return [request]
        }
    }

    /// Requests with bodies before and after one whose body is a remembered request: in these, the end of one request and
    /// the head of the next, or less, can arrive together.
    private static let pipelines: [String] = {
        let size = hit.utf8.count
        let hexadecimal = String(size, radix: 16)
        let first = [
            "Content-Length: 1\r\n\r\nX", "Transfer-Encoding: chunked\r\n\r\n1;a=\" HTTP/1.1\"\r\nX\r\n0\r\n\r\n",
            "Content-Length: 0\r\n\r\n",
        ]
        let second = [
            "Content-Length: \(size)\r\n\r\n\(hit)", "Content-Length: \(size + 1)\r\n\r\nX\(hit)",
            "Transfer-Encoding: chunked\r\n\r\n\(hexadecimal)\r\n\(hit)\r\n0\r\nA: b\r\n\r\n",
        ]
        return first.flatMap { first in
            second.map { second in
                let request = "POST /other HTTP/1.1\r\nHost: a\r\n"
                return request + first + request + second + hit.replacing("hit", with: "miss")
            }
        }
    }()

    /// The server answers before it has received the body, as it does with status 405. The bytes are divided at each byte,
    /// and before each text that looks like a remembered request.
    @Test(.bug(id: "Fix requests smuggled in bodies"), arguments: pipelines.indices)
    func bodyIsNeverTakenForARequest(number: Int) async throws {
        let routes = try await routesWithHit()
        let pipeline = Self.pipelines[number]
        let bytes = Array(pipeline.utf8)
        let starts = pipeline.ranges(of: "GET /insecure")
            .map { pipeline.utf8.distance(from: pipeline.startIndex, to: $0.lowerBound) }
        let whole = try Connection(routes, answersHeads: true)
        try whole.receive(pipeline)
        let expected = try whole.sent()
        #expect(expected.count { $0.contains("HTTP/1.1 200") } == 3)
        for division in 1..<bytes.count {
            let divided = try Connection(routes, answersHeads: true)
            try divided.receive(Self.hit)
            let first = try divided.sent()
            var start = 0
            for end in Set(starts + [division, bytes.count]).sorted() where end > start {
                try divided.receive(String(decoding: bytes[start..<end], as: UTF8.self))
                start = end
            }
            let sent = try divided.sent()
            #expect(first.first == "HTTP/1.1 200 OK" && sent == expected, "divided at byte \(division)")
        }
    }

    @Test func repeatedRequestIsNotParsed() async throws {
        let connection = try Connection(try await routesWithHit())
        var headCounts: [Int] = []
        for request in [Self.hit, Self.hit, Self.hit + Self.hit, Self.hit] {
            try connection.receive(request)
            headCounts.append(connection.handler.headCount)
        }
        // Two requests at once are parsed, and so is the next one: whether more bytes follow was not clear.
        #expect(headCounts == [1, 1, 3, 4])
        let text = try connection.sent().joined(separator: "\r\n")
        let responses = text.components(separatedBy: "HTTP/1.1 200 OK").dropFirst()
        #expect(responses.count == 5 && Set(responses).count == 1)
    }

    /// The connection ends after the response.
    @Test func requestOfAnOlderVersionIsParsed() async throws {
        let routes = try await routesWithHit()
        for _ in 0..<2 {
            let connection = try Connection(routes)
            try connection.receive(Self.hit.replacing("HTTP/1.1", with: "HTTP/1.0"))
            #expect(connection.handler.headCount == 1)
        }
    }

    @Test func requestWhoseFileIsNoLongerInMemoryIsPassedOn() async throws {
        let memory = MemoryDataCache(byteLimit: 1 << 20)
        let connection = try Connection(try await routesWithHit(memory))
        try connection.receive(Self.hit)
        try await memory.removeAll()
        try connection.receive(Self.hit)
        #expect(try connection.sent().last == "passed GET \(Self.path("hit"))\n")
    }

    /// The first request for a target with its header fields is passed on, because it has to be parsed; later ones are not.
    @Test func requestThatWasNotParsedBeforeIsPassedOn() async throws {
        let routes = try await routesWithHit()
        let connection = try Connection(routes)
        let request = Self.hit.replacing("Host", with: "Accept: image/png\r\nHost")
        try connection.receive(request)
        #expect(try connection.sent().last == "passed GET \(Self.path("hit"))\n")
        var head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: Self.path("hit"))
        head.headerFields[.accept] = "image/png"
        _ = try routes.thumbnailRequest(for: head)
        try connection.receive(request)
        let sent = try connection.sent()
        #expect(sent.first == "HTTP/1.1 200 OK")
        #expect(sent.last?.hasPrefix("passed") == false)
    }

    /// A remembered request is not answered after its signature has expired.
    @Test func expiredSignatureIsPassedOn() async throws {
        let routes = try await routesWithHit()
        let head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: Self.path("hit"))
        let request = try #require(routes.recognize(head), "it was parsed before")
        let expired = ThumbnailRequest(
            image: request.thumbnail.image, expiry: .distantPast, variedFields: [], acceptedHints: [])
        #expect(routes.replyFromMemory(to: request) != nil)
        #expect(routes.replyFromMemory(to: RecognizedRequest(head: head, thumbnail: expired)) == nil)
    }

    /// Returns routes that have the image of `hit` in memory.
    private func routesWithHit(_ memory: MemoryDataCache = MemoryDataCache(byteLimit: 1 << 20)) async throws
        -> ThumbnailRoutes
    {
        let image = try Data(contentsOf: fixtureFolder.appending(path: "png-3x5.png"))
        let manager = try ImageManager {
            $0.install(StandardPlugins())
            // Of a source without a lifetime, so that the response does not change with time.
            $0.loaders = [FakeLoader(image, version: "1")]
            $0.dataCache = memory
        }
        var settings = ThumbnailSettings()
        settings.allowsInsecure = true
        let routes = try ThumbnailRoutes(manager, memory: memory, settings: settings)
        for side in [2, 9] {
            let path = Self.path("hit", side: side)
            let head = HTTPRequest(method: .get, scheme: "http", authority: "localhost", path: path)
            _ = try await manager.encoded(try routes.thumbnailRequest(for: head).image)
        }
        await manager.waitForStores()
        return routes
    }
}

/// A connection of a server that names the requests which are not answered from memory.
private final class Connection {
    let handler: MemoryHitHandler
    private let channel = EmbeddedChannel()

    /// Opens a connection. With `answersHeads`, a request is answered before its body has arrived.
    init(_ routes: ThumbnailRoutes, answersHeads: Bool = false) throws {
        let deadlines = ConnectionDeadlines(ConnectionLimits())
        handler = MemoryHitHandler(routes, serverName: "test", deadlines: deadlines)
        let pipeline = channel.pipeline.syncOperations
        try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: false, withErrorHandling: false)
        try pipeline.addHandlers([
            HTTP1ToHTTPServerCodec(secure: false), deadlines, handler, Echo(answersHeads: answersHeads),
        ])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    /// Receives `text` at once.
    func receive(_ text: String) throws { try channel.writeInbound(ByteBuffer(string: text)) }

    /// Returns the lines that were sent so far, without those that depend on the time.
    func sent() throws -> [String] {
        var text = ""
        while let bytes = try channel.readOutbound(as: ByteBuffer.self) {
            text += String(decoding: bytes.readableBytesView, as: UTF8.self)
        }
        return text.components(separatedBy: "\r\n")
            .filter { line in !["server-timing:", "date:"].contains { line.lowercased().hasPrefix($0) } }
    }
}

/// Responds with the method, the path and the number of bytes of a request.
private final class Echo: ChannelInboundHandler {
    typealias InboundIn = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart
    private let answersHeads: Bool
    private var text = ""
    private var byteCount = 0

    init(answersHeads: Bool) { self.answersHeads = answersHeads }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            (text, byteCount) = ("passed \(head.method) \(head.path ?? "")", 0)
            if answersHeads { answer(context) }
        case .body(let bytes): byteCount += bytes.readableBytes
        case .end: if !answersHeads { answer(context) }
        }
    }

    private func answer(_ context: ChannelHandlerContext) {
        let body = ByteBuffer(string: byteCount > 0 ? "\(text), \(byteCount) bytes\n" : "\(text)\n")
        let fields: HTTPFields = [.contentLength: "\(body.readableBytes)"]
        context.write(wrapOutboundOut(.head(HTTPResponse(status: .ok, headerFields: fields))), promise: nil)
        context.write(wrapOutboundOut(.body(body)), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
