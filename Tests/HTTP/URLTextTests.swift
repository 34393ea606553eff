#if HTTP
    import DarkroomTestKit
    import FoundationEssentials
    import NIOHTTP1
    import Testing

    @testable import DarkroomHTTP

    /// Texts of URLs as people type and paste them. The expected hosts are those of the Python package `idna`.
    struct URLTextTests {
        @Test(
            arguments: [
                ("http://bücher.example/a.png", "http://xn--bcher-kva.example/a.png"),
                ("https://BÜCHER.Example:8080/", "https://xn--bcher-kva.example:8080/"),
                ("http://bu\u{308}cher.example/", "http://xn--bcher-kva.example/"),
                ("http://faß.de/", "http://xn--fa-hia.de/"), ("http://例え。テスト/", "http://xn--r8jz45g.xn--zckzah/"),
                ("http://почта.рф", "http://xn--80a1acny.xn--p1ai"),
                ("http://ＥＸＡＭＰＬＥ.com/", "http://example.com/"),
                ("http://مثال.إختبار/", "http://xn--mgbh0fb.xn--kgbechtv/"),
                ("http://उदाहरण.परीक्षा/", "http://xn--p1b6ci4b4b3a.xn--11b5bs3a9aj6g/"),
                ("http://παράδειγμα.δοκιμή/", "http://xn--hxajbheg2az3al.xn--jxalpdlp/"),
                ("http://실례.테스트/", "http://xn--9n2bp8q.xn--9t4b11yi5a/"),
                ("http://א1/", "http://xn--1-zhc/"), ("http://a.א1.com/", "http://a.xn--1-zhc.com/"),
                ("http://א\u{5B7}./", "http://xn--fdb3c./"), ("http://۱۲.ir/", "http://xn--embc.ir/"),
                ("http://\u{7CA}\u{7C1}/", "http://xn--csbr/"), ("http://\u{627}\u{661}/", "http://xn--mgb0j/"),
                ("http://user:pw@ü.example/", "http://user:pw@xn--tda.example/"),
                ("\u{FEFF} \thttp://a.example/b.png \r\n", "http://a.example/b.png"),
                ("http://a.example/b/../c/./d.png?x=../y#..", "http://a.example/c/d.png?x=../y#.."),
                ("http://a.example/../../a.png", "http://a.example/a.png"),
                ("http://a.example/a/%2E%2e/b", "http://a.example/b"),
                ("http://a.example/a/b/..", "http://a.example/a/"),
                ("http://a.example/a/...", "http://a.example/a/..."), ("http://a.example//a", "http://a.example//a"),
                ("http://a.example", "http://a.example"), ("http://[::1]:80/a/../b", "http://[::1]:80/a/../b"),
                ("http://a_b.example/%C3%A9", "http://a_b.example/%C3%A9"),
                // As in a browser, escapes in a host stand for characters of its name.
                ("http://ex%61mple.com%2E/%61", "http://example.com./%61"),
                ("http://b%C3%BCcher.example/", "http://xn--bcher-kva.example/"),
                ("http://127%2e0.0.1/", "http://127.0.0.1/"),
                ("ftp://a.example/../b", "ftp://a.example/../b"),
            ])
        func textIsAURL(_ text: String, _ expected: String) {
            #expect(HTTPLoader.url(from: text)?.absoluteString == expected)
        }

        @Test(arguments: ["http://é.example/é?é", "http://a.example/a b.png"])
        func otherCharactersAreEscaped(_ text: String) {
            let url = HTTPLoader.url(from: text)
            #expect(url?.absoluteString.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F } == true)
        }

        @Test(arguments: [
            "", " ", "http://ﬁ.example/", "http://a\u{200D}é.example/", "http://\u{301}a.example/", "http://é²/",
            "http://☃.example/",
            "http://a.example／b/", "http://a.example＠b.example/", "http://a.example：80/", "http://a％2E.example/",
            // Characters that end a host, or that no host has, also if they are escaped.
            "http://%5B:80/a", "http://a%2Fb/", "http://a%40b/", "http://a%3A80/", "http://a%25b/", "http://a%/",
            "http://a%00b/", "http://a%20b/", "http://a b/", "http://a<b/", "http://a^b/", "http://%ff/",
            // They contradict the Bidi rule.
            "http://\u{5D0}a/", "http://a\u{5D0}/", "http://1\u{5D0}/", "http://\u{5D0}1\u{661}/",
            "http://\u{661}\u{627}/",
            "http://a\u{661}/", "http://1.\u{5D0}/", "http://_a.\u{5D0}/",
            "http://" + String(repeating: "é", count: 100) + ".example/",
        ])
        func textIsNoURL(_ text: String) {
            #expect(HTTPLoader.url(from: text) == nil)
        }

        @Test func redirectLeadsToAnInternationalHost() throws {
            let head = HTTPResponseHead(
                version: .http1_1, status: .found, headers: ["Location": "https://bücher.example/a"])
            let target = try head.redirectTarget(from: URL(string: "http://a.example/")!)
            #expect(target?.absoluteString == "https://xn--bcher-kva.example/a")
        }

        @Test func anyTextIsAURLInASCIIOrNone() {
            var mutator = TextMutator(
                [
                    "http://bücher.example/a/../b?c#d", "https://例え。テスト:80/", "http://u:p@é/", "http://%5b%C3/",
                    "data:,é",
                ], seed: 65)
            for _ in 0..<2000 {
                guard let url = HTTPLoader.url(from: mutator.next()) else { continue }
                #expect(url.absoluteString.utf8.allSatisfy { $0 < 0x80 })
                #expect(HTTPLoader.url(from: url.absoluteString) == url)
            }
        }
    }
#endif
