import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import PrometheusText
import Testing

@testable import ThumbnailServer

/// Requests for the state of the server, on a connection whose other requests are never answered.
struct OperationHandlerTests {
    private let readiness = OperationRoutes.Readiness()
    private let channel = EmbeddedChannel()

    init() throws {
        let operations = OperationRoutes(readiness: readiness, registry: PrometheusRegistry())
        let pipeline = channel.pipeline.syncOperations
        try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: false, withErrorHandling: false)
        try pipeline.addHandlers([
            HTTP1ToHTTPServerCodec(secure: false), OperationHandler(operations, serverName: "test"),
        ])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    /// Receives a request with this line and these fields. Returns everything that is sent.
    private func exchange(_ line: String, _ fields: String...) throws -> String {
        let head = (["\(line) HTTP/1.1", "Host: a"] + fields + ["", ""]).joined(separator: "\r\n")
        try channel.writeInbound(ByteBuffer(string: head))
        var text = ""
        while let bytes = try channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: bytes) }
        return text
    }

    @Test func stateIsSentAtOnce() throws {
        let text = try exchange("GET /health")
        #expect(text.hasPrefix("HTTP/1.1 200 OK\r\n") && text.hasSuffix("\r\n\r\nalive\n"), "\(text)")
        for field in [
            "Content-Length: 6", "Cache-Control: no-store", "X-Content-Type-Options: nosniff", "Server: test",
        ] {
            #expect(text.lowercased().contains("\r\n\(field.lowercased())\r\n"), "\(field)")
        }
        #expect(try exchange("HEAD /ready").hasSuffix("\r\n\r\n"))
        readiness.isReady = false
        #expect(try exchange("GET /ready").hasPrefix("HTTP/1.1 503 "))
        #expect(channel.isActive)
    }

    @Test func connectionEndsIfTheClientAsksForIt() throws {
        #expect(try exchange("GET /health", "Connection: close").hasSuffix("alive\n"))
        #expect(!channel.isActive)
    }

    @Test(arguments: ["GET /healthy", "POST /health", "GET /health?a", "GET /metrics", "GET /"])
    func otherRequestsArePassedOn(_ line: String) throws {
        #expect(try exchange(line) == "")
        // The response to an earlier request is pending.
        #expect(try exchange("GET /health") == "")
        var paths: [String?] = []
        while let part = try channel.readInbound(as: HTTPRequestPart.self) {
            if case .head(let head) = part { paths.append(head.path) }
        }
        #expect(paths.count == 2 && paths.last == "/health")
    }

    @Test func requestOfAClientThatDoesNotReadIsPassedOn() throws {
        channel.isWritable = false
        #expect(try exchange("GET /health") == "")
        #expect(try channel.readInbound(as: HTTPRequestPart.self) != nil)
    }

    @Test func requestWithABodyIsPassedOn() throws {
        #expect(try exchange("GET /health", "Content-Length: 0") == "")
    }
}
