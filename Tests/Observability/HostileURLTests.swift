#if Observability
    import DarkroomCore
    @testable import DarkroomObservability
    import DarkroomTestKit
    import TestSupport
    import Testing

    /// Logs contain one line without secrets for any URL.
    @Suite(.bounded)
    struct HostileURLTests {
        // A separate thread: on the shared pool, this much work would delay the timeouts of tests that run in parallel.
        private static let thread = WorkExecutor(name: "hostile-urls", width: 1)

        private static let urls = [
            "http://user:s3cret@e.com:80/a/b;p?k=s3cret&l#s3cret", "data:image/png;base64,s3cret",
            "HTTP://[::1]:80/a%3Fk=s3cret",
        ]

        @Test func urlsAreShortPrintableASCII() async throws {
            try await Self.thread.run {
                var mutator = TextMutator(Self.urls, seed: 71)
                for _ in 0..<4000 {
                    let written = URLRedaction.standard(mutator.next())
                    #expect(written.utf8.allSatisfy { 0x20...0x7E ~= $0 }, "\(written.debugDescription)")
                    #expect(written.utf8.count <= URLRedaction.byteLimit + 32)
                }
            }
        }

        @Test func messagesAreOneLine() async throws {
            try await Self.thread.run {
                var mutator = TextMutator(Self.urls.map { "it failed at \"\($0)\", again" }, seed: 72)
                for _ in 0..<4000 {
                    let written = URLRedaction.standard.text(mutator.next())
                    #expect(
                        written.unicodeScalars.allSatisfy { !$0.isControlOrDirection }, "\(written.debugDescription)")
                    #expect(written.utf8.count <= URLRedaction.byteLimit + 3)
                }
            }
        }

        @Test(arguments: ["/", "&a=b", "%41", "a:", "//", "?", "\u{301}", ";"])
        func longURLsTakeLinearTime(_ unit: String) async throws {
            try await Self.thread.run {
                let text = TextMutator.longText(repeating: unit)
                #expect(URLRedaction.standard("http://a" + text).utf8.count <= URLRedaction.byteLimit + 32)
                #expect(URLRedaction.standard.text("b http://a" + text).utf8.count <= URLRedaction.byteLimit + 3)
            }
        }
    }

    extension Unicode.Scalar {
        fileprivate var isControlOrDirection: Bool {
            switch value {
            case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069: true
            default: false
            }
        }
    }
#endif
