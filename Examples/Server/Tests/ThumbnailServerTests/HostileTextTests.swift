import Configuration
import Darkroom
import DarkroomTestKit
import Foundation
import HTTPTypes
import Testing

@testable import ThumbnailServer
@testable import ThumbnailServerProgram

/// Arbitrary but reproducible text in each of the server's parsers: all terminate, and none traps.
@Suite(.bounded)
struct HostileTextTests {
    /// Tokens that the parsers look for, and scalars that combine with the preceding text.
    private static let pieces: [String] = [
        "/", "//", "-", "insecure", "..", ".", ";", "%", "%2", "%2e", "%252e", "%2F", "%00", "%ff", "%C3%97", "\\", "@",
        "@webp", ".webp", ":", "+", ",", "=", "x", "×", "resize", "thumbnail:", "size=", "9000x9000", "dpr:", "preset:",
        "expires:", "quality:", "colors:", "format:", "background:", "1e400", "-1", "9223372036854775808", "0.0000001",
        "nan",
        "inf",
        "http://", "https://", "HTTP://", "example.com", "[::1]", "[", "]", "127.0.0.1", "::ffff:", "1.2.3.4",
        "sample/",
        "?", "#", "*", "*/*", "image/webp", "image/*", ";q=", "q=0.5", "W/", "\"", "\"a\"", " ", "\t", "aGk", "_", "==",
        "--", "--http-port", "\u{0}", "\u{1}", "\r\n", "\n", "\u{301}", "\u{200D}", "\u{FE0F}", "e\u{301}", "🏴‍☠️",
        "\u{FFFD}", "\u{10FFFF}", "\u{202E}", "é",
    ]

    /// Random sequences of tokens, scalars and bytes.
    private static let texts: [String] = {
        var numbers = SeededGenerator(seed: 14)
        return (0..<3000).map { number in
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 0...20, using: &numbers) {
                switch Int.random(in: 0..<8, using: &numbers) {
                case 0: bytes.append(UInt8.random(in: 0...255, using: &numbers))
                case 1:
                    let scalar = Unicode.Scalar(UInt32.random(in: 0...0x10_FFFF, using: &numbers)) ?? "\u{301}"
                    bytes += String(Character(scalar)).utf8
                default: bytes += (pieces.randomElement(using: &numbers) ?? "").utf8
                }
            }
            // As in header fields, invalid UTF-8 is replaced.
            return String(decoding: bytes, as: UTF8.self)
        } + ["", String(repeating: "%25", count: 5000), String(repeating: "/..;", count: 2000)]
            + [String(repeating: "[", count: 100_000), String(repeating: "a,", count: 50_000)]
    }()

    @Test func pathsAreParsedOrRejected() {
        for text in Self.texts {
            guard let path = try? ThumbnailPath("/insecure/\(text)") else { continue }
            // No part of the path is lost or duplicated.
            let options = path.options.isEmpty ? "-" : path.options
            #expect(path.signedText.utf8.elementsEqual("/\(options)/\(path.source)".utf8), "\(text.debugDescription)")
            #expect("/\(path.signature)\(path.signedText)".utf8.elementsEqual("/insecure/\(text)".utf8))
        }
    }

    @Test func sourcesAreParsedOrRejected() throws {
        let rule = try #require(SourceRule("https://example.com/a/"))
        let policies = [SourcePolicy(sampleFolder: fixtureFolder), SourcePolicy(rules: [rule])]
        for text in Self.texts {
            for text in [text, "https://example.com/a/\(text)"] {
                guard let source = try? SourceComponent(Substring(text)) else { continue }
                for policy in policies {
                    guard let url = try? policy.url(for: source.url) else { continue }
                    #expect(url.isFileURL || ["http", "https"].contains(url.webScheme), "\(text.debugDescription)")
                    guard policy.rules != nil else { continue }
                    let path = url.standardized.path(percentEncoded: false)
                    #expect(url.webHost == "example.com" && path.hasPrefix("/a"), "\(text.debugDescription)")
                }
            }
            _ = SourceRule(text)
            _ = SourceRule("https://\(text)")
        }
    }

    @Test func optionsAreParsedOrRejected() throws {
        var settings = ThumbnailSettings()
        settings.presets = ["small": "thumbnail:9x9"]
        let parser = try OptionParser(settings, coders: CoderRegistry())
        for text in Self.texts.map({ String(decoding: $0.utf8.prefix(5000), as: UTF8.self) }) {
            guard let options = try? parser.options(in: text) else { continue }
            let made = try? parser.transformers(for: options, pixelRatio: options.pixelRatio, width: 100)
            for transformer in made ?? [] {
                #expect(transformer.largestSize(for: PixelSize(1, 1)).pixelCount <= settings.pixelLimit)
            }
        }
    }

    @Test func noOtherTextIsASignature() throws {
        let signer = try #require(PathSigner(keys: [Data("0123456789abcdef".utf8)]))
        let known = PathSignerTests.known
        for text in Self.texts {
            let (path, spelling): (Substring, String) = ("/-/sample/a.jpg", known + text)
            #expect(signer.accepts(Substring(spelling), of: path) == text.isEmpty, "\(text.debugDescription)")
            #expect(!signer.accepts(Substring(text), of: path), "\(text.debugDescription)")
        }
    }

    @Test func base64URLHasOneSpelling() {
        for text in Self.texts {
            #expect(Data(base64URL: Data(text.utf8).base64URL.utf8) == Data(text.utf8))
            guard let data = Data(base64URL: text.utf8) else { continue }
            #expect(data.base64URL.utf8.elementsEqual(text.utf8), "\(text.debugDescription)")
        }
    }

    @Test func fieldsAreParsedWithinTheirBounds() {
        for text in Self.texts {
            let quality = AcceptHeader(text).quality(of: "image/webp")
            #expect((0...1).contains(quality), "\(text.debugDescription)")
            let hints = ClientHints(pixelRatio: text, width: text)
            #expect((1...4).contains(hints.pixelRatio) && (100...8000).contains(hints.width ?? 100))
            #expect(!IfNoneMatch.matches("\"no such tag\"", in: [text]) || text.utf8.contains(UInt8(ascii: "*")))
            _ = ClientNetwork(text.utf8)
        }
    }

    @Test func logMessagesStayOnOneLine() throws {
        for text in Self.texts.prefix(500) {
            let line = text.escaped { "\\u{\($0)}" }
            #expect(!line.utf8.contains { $0 < 0x20 || $0 == 0x7F }, "\(text.debugDescription)")
        }
    }

    @Test func settingsAreParsedOrRejectedWithOneSentence() async {
        for (index, text) in Self.texts.prefix(400).enumerated() {
            let flags = [
                "--sources-allow", "--sources-ports", "--presets", "--signature-keys", "--http-port", "--formats",
            ]
            let arguments = ["--signature-insecure", "true", flags[index % flags.count], text]
            let provider = CommandLineArgumentsProvider(arguments: ["thumbnail-server"] + arguments)
            do {
                _ = try await ServerSettings(ConfigReader(provider: provider), arguments: arguments)
            } catch {
                #expect(error is SettingsError, "\(text.debugDescription)")
            }
        }
    }
}
