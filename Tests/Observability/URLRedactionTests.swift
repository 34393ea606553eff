#if Observability
    import DarkroomCore
    @testable import DarkroomObservability
    import Testing

    struct URLRedactionTests {
        private func written(_ url: String) -> String { URLRedaction.standard(url) }

        @Test(arguments: [
            "http://example.com/a.png", "http://example.com:8080/a/b.png", "http://[::1]:8080/a.png", "http://[::1]/",
            "file:///srv/pictures/photo@2x.png", "photo@2x.png", "/a/b.png", "", "http://example.com/photo%402x.png",
            "https://example.com/w=300,h=200/rs:fit:300:200/a.png",
            "https://example.com/plain/http:/b.example/a.jpg@png",
            "sha256:0123456789abcdef",
        ])
        func publicPartsArePreserved(url: String) {
            #expect(written(url) == url)
        }

        @Test(
            arguments: [
                // Queries
                ("http://e.com/a?sig=s3cret", "http://e.com/a?sig=REDACTED"),
                (
                    "http://e.com/a?w=1&X-Amz-Signature=s3cret&h=",
                    "http://e.com/a?w=REDACTED&X-Amz-Signature=REDACTED&REDACTED"
                ),
                ("http://e.com/a?s3cret", "http://e.com/a?REDACTED"),
                ("http://e.com/a?s3cret==", "http://e.com/a?REDACTED"),
                ("http://e.com/a?s3cret%3D=1", "http://e.com/a?REDACTED"),
                ("http://e.com/a?a=s3cret?b=s3cret", "http://e.com/a?a=REDACTED"),
                ("http://e.com/a?a=1;b=s3cret", "http://e.com/a?a=REDACTED"),
                ("http://e.com/a?a[]=s3cret&&c=s3cret=", "http://e.com/a?a[]=REDACTED&&c=REDACTED"),
                ("http://e.com?s3cret", "http://e.com?REDACTED"),
                ("http://e.com/a?", "http://e.com/a?"),
                ("?s3cret", "?REDACTED"),
                ("/a?k=s3cret", "/a?k=REDACTED"),
                // Fragments
                ("http://e.com/a#access_token=s3cret", "http://e.com/a#REDACTED"),
                ("http://e.com/a#x?k=s3cret", "http://e.com/a#REDACTED"),
                ("http://e.com/a?k=s3cret#s3cret", "http://e.com/a?k=REDACTED#REDACTED"),
                // User info
                ("http://s3cret@e.com/a", "http://REDACTED@e.com/a"),
                ("http://u:s3cret@e.com:80/a", "http://REDACTED@e.com:80/a"),
                ("HTTP://u:s3cret@e.com", "HTTP://REDACTED@e.com"),
                ("http://u:s3@cret@e.com/a", "http://REDACTED@e.com/a"),
                ("http://u:s3cret%40e.com@e.com/", "http://REDACTED@e.com/"),
                ("http://u:s3cret?@e.com/a", "http://REDACTED?REDACTED"),
                ("http://u:s3cret#@e.com/a", "http://REDACTED#REDACTED"),
                ("http://u:s3cret/x@e.com/a", "http://REDACTED@e.com/a"),
                ("redis://u:s3c/ret@e.com:6379/0", "redis://REDACTED@e.com:6379/0"),
                ("redis://:12345/s3cret@e.com:6379/0", "redis://REDACTED@e.com:6379/0"),
                ("http://u:s3cret\\@e.com/a", "http://REDACTED@e.com/a"),
                ("http://u:s3cret@", "http://REDACTED@"),
                ("http://[::1:s3cret", "http://REDACTED"),
                ("http:u:s3cret@e.com/a", "REDACTED@e.com/a"),
                ("s3cret:x@e.com/a", "REDACTED@e.com/a"),
                ("//u:s3cret@e.com/a", "//REDACTED@e.com/a"),
                // Paths
                ("http://e.com/a;jsessionid=s3cret/b", "http://e.com/a;REDACTED/b"),
                ("http://e.com/p/http://u:s3cret@i.com/a", "http://e.com/p/http://REDACTED/a"),
                ("http://e.com/p/http%3A%2F%2Fi.com%2Fa%3Fk%3Ds3cret/x", "http://e.com/p/REDACTED/x"),
                ("http://e.com/p/http%3a%2f%2fu%3as3cret%40i.com", "http://e.com/p/REDACTED"),
                ("http://e.com/p/i.com%252Fa%253Fs3cret", "http://e.com/p/REDACTED"),
                ("http://e.com/k%3Ds3cret", "http://e.com/REDACTED"),
                // Data URLs
                ("data:image/png;base64,czNjcmV0", "data:image/png,[8 bytes]"),
                ("DATA:image/svg+xml,%3Csvg%3E", "data:image/svg+xml,[9 bytes]"),
                ("  data:,s3cret", "data:,[6 bytes]"),
                ("data:s3cret", "data:[6 bytes]"),
                ("data:s3cret=/s3cret,", "data:,[0 bytes]"),
                ("data:s3cret,", "data:,[0 bytes]"),
                // Characters that break lines, terminals or quotes
                ("http://e.com/a\nFAKE line", "http://e.com/a%0AFAKE%20line"),
                ("http://e.com/\u{1B}[31m\"<>", "http://e.com/%1B[31m%22%3C%3E"),
                ("http://e.com/\u{202E}gpj", "http://e.com/%E2%80%AEgpj"),
                ("http://e.com/a?\u{301}s3cret", "http://e.com/a?REDACTED"),
                ("http://u:s3cret@\u{301}e.com/", "http://REDACTED@%CC%81e.com/"),
                (" http://u:s3cret@e.com/", "http://REDACTED@e.com/"),
            ] as [(String, String)])
        func potentialSecretsAreRedacted(url: String, expected: String) {
            #expect(written(url) == expected)
            #expect(!written(url).contains("s3cret"))
        }

        @Test func longURLIsTruncated() {
            let url = "http://example.com/" + String(repeating: "a", count: 100_000)
            #expect(written(url) == url.prefix(512) + "...[100019 bytes]")
        }

        @Test func truncationDoesNotRevealAPassword() {
            let url = "http://u:" + String(repeating: "1", count: 100_000) + "@example.com/a"
            #expect(written(url) == "http://REDACTED@example.com/a")
        }

        @Test(
            arguments: [
                ("the origin returned status 404 Not Found", "the origin returned status 404 Not Found"),
                ("12×8 became 6×4: why?", "12×8 became 6×4: why?"),
                ("cannot open http://e.com/a?k=s3cret now", "cannot open http://e.com/a?k=REDACTED now"),
                ("url=https://u:s3cret@e.com/a", "url=https://REDACTED@e.com/a"),
                ("(\"https://u:s3cret@e.com/a\")", "(\"https://REDACTED@e.com/a\")"),
                ("GET /a?k=s3cret failed", "GET /a?k=REDACTED failed"),
                ("GET /a?s3cret failed", "GET /a?REDACTED failed"),
                ("bad (data:image/png;base64,s3cret", "bad (data:image/png,[6 bytes]"),
                (
                    "two: http://a.com/?s3cret http://b.com/?s3cret",
                    "two: http://a.com/?REDACTED http://b.com/?REDACTED"
                ),
                ("one\r\ntwo\u{2028}three\u{202E}\u{1B}[31m", "one  two three  [31m"),
            ] as [(String, String)])
        func urlsInMessagesAreRedacted(sentence: String, expected: String) {
            #expect(URLRedaction.standard.text(sentence) == expected)
        }

        @Test func longMessageIsTruncated() {
            let text = URLRedaction.standard.text(String(repeating: "é ", count: 10_000))
            #expect(text.utf8.count <= 515)
            #expect(text.hasSuffix("..."))
        }
    }
#endif
