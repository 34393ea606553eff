import Darkroom
import DarkroomTestKit
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing

@testable import ThumbnailServer

/// Clients that send what is almost HTTP, over real sockets: reproducible from a seed.
@Suite(.bounded)
struct HostileClientTests {
    /// A connection: what is sent, in which pieces, and whether the client leaves without reading.
    private struct Script {
        var pieces: [[UInt8]]
        var abandons: Bool
    }

    private static let methods = [
        "GET", "GET", "GET", "HEAD", "POST", "PUT", "OPTIONS", "CONNECT", "PRI", "get", "G ET", "", "GET\t", "PATCH",
        "\u{0}", "M-SEARCH",
    ]
    private static let targets = [
        "/insecure/thumbnail:9x9/sample%2Fpng-3x5.png", "/insecure/thumbnail:9x9+format:png/sample%2Fjpeg-420.jpg",
        "/health",
        "/metrics", "/", "*", "//", "/../../etc/passwd", "http://a/health", "/insecure/-/%00", "/insecure/-/%", "a:80",
        "/?\u{7F}",
        "/insecure/blur:1e99/sample%2Fpng-3x5.png", "/" + String(repeating: "a", count: 9000), "/insecure/-/data:,x",
        "",
    ]
    private static let versions = [
        "HTTP/1.1", "HTTP/1.1", "HTTP/1.1", "HTTP/1.0", "HTTP/2.0", "HTTP/0.9", "HTTP/1.10", "http/1.1", "HTTP/", "",
        "HTTP/1.1 x",
    ]
    private static let fields = [
        "Host: a", "Host: a", "Host: a", "Host: b", "Connection: close", "Connection: keep-alive, Upgrade",
        "Content-Length: 5",
        "Content-Length: 0", "Content-Length: -1", "Content-Length: 99999999999999999999", "Content-Length: 5, 5",
        "Transfer-Encoding: chunked", "Transfer-Encoding: gzip, chunked", "Transfer-Encoding: identity",
        "Expect: 100-continue",
        "Upgrade: h2c", " folded: value", "\tfolded", "No colon", ": no name", "X: \u{0}", "X : space",
        "If-None-Match: *",
        "Accept: image/webp", "X-Forwarded-For: 1.2.3.4", "Cookie: a=b", "X: " + String(repeating: "y", count: 5000),
        "Sec-CH-DPR: nan", "Range: bytes=0-0", "X: \u{301}",
    ]
    private static let bodies = [
        "", "", "hello", "5\r\nhello\r\n0\r\n\r\n", "0\r\n\r\n", "0\r\nTrailer: x\r\n\r\n", "FFFFFFFFFFFFFFFFF\r\n",
        "5;a=\"b\r\nhello\r\n",
        "-1\r\n\r\n", "5\nhello\n0\n\n", "GET /health HTTP/1.1\r\nHost: a\r\n\r\n",
    ]
    private static let lineEnds = ["\r\n", "\r\n", "\r\n", "\r\n", "\n", "\r", "\r\r\n"]

    private static func request(_ random: inout SeededGenerator) -> [UInt8] {
        let lineEnd = lineEnds.randomElement(using: &random)!
        let line = [methods, targets, versions].map { $0.randomElement(using: &random)! }.joined(separator: " ")
        let count = Int.random(in: 0...6, using: &random)
        let lines = [line] + (0..<count).map { _ in fields.randomElement(using: &random)! }
        var bytes = Array((lines.joined(separator: lineEnd) + lineEnd + lineEnd).utf8)
        bytes += bodies.randomElement(using: &random)!.utf8
        // Now and then a byte is lost, doubled or damaged.
        for _ in 0..<Int.random(in: 0...2, using: &random) where !bytes.isEmpty {
            let index = Int.random(in: bytes.indices, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0: bytes.remove(at: index)
            case 1: bytes.insert(bytes[index], at: index)
            case 2: bytes[index] = UInt8.random(in: 0...255, using: &random)
            default: break
            }
        }
        return bytes
    }

    private static func script(_ random: inout SeededGenerator) -> Script {
        var rest = (0..<Int.random(in: 1...5, using: &random)).flatMap { _ in request(&random) }[...]
        if Int.random(in: 0..<4, using: &random) == 0 {
            rest = rest.dropLast(Int.random(in: 0...rest.count, using: &random))
        }
        var pieces: [[UInt8]] = []
        let isWhole = Bool.random(using: &random)
        while !rest.isEmpty {
            let piece = rest.prefix(isWhole ? rest.count : Int.random(in: 1...max(1, rest.count / 2), using: &random))
            pieces.append(Array(piece))
            rest = rest.dropFirst(piece.count)
        }
        return Script(pieces: pieces, abandons: Int.random(in: 0..<3, using: &random) == 0)
    }

    /// Sends `script`, and waits until the connection is closed.
    private func play(_ script: Script, port: Int) async throws {
        let connection = try await RawClient.connect(port)
        try? await connection.executeThenClose { inbound, outbound in
            // The server may close the connection at any time.
            for piece in script.pieces { try await outbound.write(ByteBuffer(bytes: piece)) }
            guard !script.abandons else { return }
            outbound.finish()
            for try await _ in inbound {}
        }
    }

    @Test(arguments: 0..<3)
    func serverSurvivesAlmostHTTP(seed: UInt64) async throws {
        var limits = ConnectionLimits()
        // Only for scripts after which the server would wait for more.
        (limits.headTimeout, limits.bodyTimeout, limits.idleTimeout) = (.seconds(2), .seconds(2), .seconds(2))
        let server = TestServer(connections: limits)
        try await server.run { client, _ in
            let port = try #require(client.port)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<120 {
                    if number >= 8 { try await group.next() }
                    var random = SeededGenerator(seed: seed << 32 | UInt64(number))
                    let script = Self.script(&random)
                    group.addTask { try await play(script, port: port) }
                }
                try await group.waitForAll()
            }
            let health = try await client.execute(uri: "/health", method: .get)
            #expect(health.text == "alive\n")
            let picture = try await client.execute(uri: "/insecure/thumbnail:2x2/sample%2Fpng-3x5.png", method: .get)
            #expect(picture.status == .ok)
            let size = try picture.image().size
            #expect(max(size.width, size.height) == 2)
            // That of this client may still be open.
            await server.waitForConnections(atMost: 1)
        }
        await server.waitForConnections(atMost: 0)
    }
}
