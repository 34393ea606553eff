import Foundation
import Logging
import Synchronization
import Testing

@testable import ThumbnailServerProgram

struct LineLogTests {
    private func lines(_ level: Logger.Level = .info, _ log: (Logger) -> Void) throws -> [[String: Any]] {
        try Self.written(level, .json, log).split(separator: UInt8(ascii: "\n")).map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any])
        }
    }

    /// Returns the bytes that `log` writes with a logger.
    private static func written(
        _ level: Logger.Level, _ format: LineLogHandler.Format, _ log: (Logger) -> Void
    ) -> Data {
        let written = Mutex(Data())
        let output = LogOutput { data in written.withLock { $0 += data } }
        log(Logger(label: "pictures") { LineLogHandler(label: $0, level: level, format: format, output: output) })
        output.flush(within: .seconds(60))
        return written.withLock { $0 }
    }

    @Test func messageIsALineWithItsMetadata() throws {
        let lines = try lines { logger in
            logger.info("a \"b\"\nc", metadata: ["status": "404", "sizes": ["1", "2"], "of": ["x": "y"]])
            logger.error("d")
        }
        #expect(lines.map { $0["message"] as? String } == ["a \"b\"\nc", "d"])
        #expect(lines.map { $0["level"] as? String } == ["info", "error"])
        #expect(lines[0]["logger"] as? String == "pictures")
        #expect(lines[0]["status"] as? String == "404")
        #expect(lines[0]["sizes"] as? [String] == ["1", "2"])
        #expect((lines[0]["of"] as? [String: String])?["x"] == "y")
        let time = try #require(lines[0]["time"] as? String)
        #expect(try Date(time, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)) < .now + 1)
    }

    @Test(.bug(id: "Fix passwords in printed settings"))
    func secretsOfURLsAreNotLogged() throws {
        let lines = try lines { logger in
            logger.info(
                "GET https://u:s3cret@a/b failed",
                metadata: [
                    "path": "/insecure/-/https%3A%2F%2Fu%3As3cret%40a%2Fb", "urls": ["https://a/?k=s3cret"],
                    "of": ["x": "redis://:s3cret@a"],
                ])
        }
        #expect(!"\(lines)".contains("s3cret"), "\(lines)")
        #expect(lines[0]["message"] as? String == "GET https://REDACTED@a/b failed")
    }

    @Test(
        .bug(id: "Fix secrets of sources in base64url in the log"),
        arguments: [
            "/insecure/-/https%3A%2f%2fa%2Fb%3Fk%3Ds3cret", "https:%2F%2fa%2Fb%3Fk%3Ds3cret",
            "https%253a%252F%252fa%252Fb%253Fk%253Ds3cret", "redis%3A//u%3as3cret%40a", "u%3As3cret@a",
            // A combining mark belongs to the character before it.
            "http://\u{301}a/?k=s3cret", "https%3A%2F%2F\u{301}a%2Fb%3Fk%3Ds3cret",
        ])
    func secretsOfEscapedURLsAreNotLogged(text: String) throws {
        let lines = try lines { $0.info("GET \(text) failed", metadata: ["path": "\(text)"]) }
        #expect(!"\(lines)".contains("s3cret"), "\(lines)")
    }

    @Test(.bug(id: "Fix control characters in logs"), arguments: [LineLogHandler.Format.text, .json])
    func messageIsOneLineWithoutControlCharacters(format: LineLogHandler.Format) throws {
        let text = "a\r\nb\u{1B}[2J\u{7F}\u{9B}\u{2028}\u{202E}c"
        let line = String(
            decoding: Self.written(.info, format) { $0.info("\(text)", metadata: ["key\n": "\(text)"]) }, as: UTF8.self)
        #expect(line.unicodeScalars.last == "\n")
        for scalar in line.unicodeScalars.dropLast() {
            #expect((0x20..<0x7F).contains(scalar.value), "\(scalar.value)")
        }
        guard format == .json else { return }
        let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        #expect(object?["message"] as? String == text)
        #expect(object?["key\n"] as? String == text)
    }

    @Test func lowerLevelsAreOmitted() throws {
        #expect(try lines(.warning) { $0.info("a") }.isEmpty)
    }

    @Test func metadataCannotReplaceTheMessage() throws {
        let lines = try lines { $0.info("a", metadata: ["message": "b", "level": "c"]) }
        #expect(lines[0]["message"] as? String == "a")
        #expect(lines[0]["level"] as? String == "info")
    }
}
