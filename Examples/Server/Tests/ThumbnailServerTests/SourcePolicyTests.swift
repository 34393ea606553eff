import Foundation
import HTTPTypes
import Testing

@testable import ThumbnailServer

struct SourcePolicyTests {
    private func isAllowed(_ url: String, by rule: String) throws -> Bool {
        let rule = try #require(SourceRule(rule))
        return (try? SourcePolicy(rules: [rule]).url(for: url)) != nil
    }

    @Test func ruleMatchesWholePathSegments() throws {
        #expect(try isAllowed("https://cdn.example.com/a.jpg", by: "https://cdn.example.com/"))
        #expect(try isAllowed("HTTPS://CDN.example.com/a.jpg", by: "https://cdn.example.com"))
        #expect(try isAllowed("https://cdn.example.com/pictures/a.jpg", by: "https://cdn.example.com/pictures"))
        #expect(try isAllowed("https://cdn.example.com/pictures?a=/../b", by: "https://cdn.example.com/pictures"))
        #expect(try isAllowed("https://cdn.example.com/pictures/..a.jpg", by: "https://cdn.example.com/pictures/"))
        #expect(try isAllowed("https://cdn.example.com/pictures/100%25.jpg", by: "https://cdn.example.com/pictures/"))
        #expect(try isAllowed("https://cdn.example.com/%70ictures/a.jpg", by: "https://cdn.example.com/pictures/"))
        #expect(try isAllowed("https://cdn.example.com/%c3%a9/a.jpg", by: "https://cdn.example.com/é/"))
        #expect(
            try !isAllowed("https://cdn.example.com/pictures-private/a.jpg", by: "https://cdn.example.com/pictures"))
        #expect(try !isAllowed("https://cdn.example.com.evil.org/a.jpg", by: "https://cdn.example.com"))
        #expect(try !isAllowed("http://cdn.example.com/a.jpg", by: "https://cdn.example.com"))
        #expect(try !isAllowed("https://cdn.example.com:8443/a.jpg", by: "https://cdn.example.com"))
        #expect(try isAllowed("https://cdn.example.com:443/a.jpg", by: "https://cdn.example.com"))
    }

    @Test(
        .bug(id: "Fix sources outside a path of sources.allow"),
        arguments: [
            "..;", "..;a=b", "%2e%2e;x", "%252e%252e", "%25252e%25252e", "..%5c..", "..%2f..",
            ".;", "a%2f..%2f..", "a\\..\\..", "%c0%ae%c0%ae", "%e0%80%ae", "%2525252525252e", "%ff",
        ]
    )
    func ambiguousPathMatchesNoRule(segment: String) throws {
        let rule = "https://cdn.example.com/pictures/"
        #expect(try !isAllowed("https://cdn.example.com/pictures/\(segment)/secret.jpg", by: rule))
        #expect(try !isAllowed("https://cdn.example.com/pictures/\(segment)", by: rule))
        #expect(try !isAllowed("https://cdn.example.com/pictures/a/\(segment)/b", by: "https://cdn.example.com"))
    }

    @Test(
        arguments: [
            ("https://cdn.example.com/pictures/../secret.jpg", nil),
            ("https://cdn.example.com/pictures/%2e%2e/secret.jpg", nil),
            ("https://cdn.example.com/pictures/%2E./pictures-private/a.jpg", nil),
            ("https://cdn.example.com/../pictures/./b/../a.jpg", "https://cdn.example.com/pictures/a.jpg"),
            (" https://CDN.example.com/pictures/ä b.jpg\n", "https://cdn.example.com/pictures/%C3%A4%20b.jpg"),
            ("https://cdn.example．com/pictures/a.jpg", "https://cdn.example.com/pictures/a.jpg"),
            ("https://ＣＤＮ.example.com/pictures/a.jpg", "https://cdn.example.com/pictures/a.jpg"),
            ("https://cdn.example.com．evil.test/pictures/a.jpg", nil),
            ("https://evil.test\\@cdn.example.com/pictures/a.jpg", nil),
            ("https://cdn.example.com／pictures/a.jpg", nil), ("https://evil.test＠cdn.example.com/pictures/a.jpg", nil),
            ("https://cdn.example.com\u{200B}/pictures/a.jpg", nil),
            ("https://bücher.example/ä.jpg", "https://xn--bcher-kva.example/%C3%A4.jpg"),
            ("https://BU\u{308}CHER.example/a.jpg", "https://xn--bcher-kva.example/a.jpg"),
            ("https://xn--bcher-kva.example/a.jpg", "https://xn--bcher-kva.example/a.jpg"),
            ("https://bucher.example/a.jpg", nil), ("https://b\u{FC}cher\u{301}.example/a.jpg", nil),
        ] as [(String, String?)])
    func rulesApplyToTheURLThatIsLoaded(_ text: String, _ expected: String?) throws {
        let rules = ["https://cdn.example.com/pictures/", "https://bücher.example/"]
        let policy = try SourcePolicy(rules: rules.map { try #require(SourceRule($0)) })
        #expect((try? policy.url(for: text))?.absoluteString == expected)
    }

    @Test func wildcardMatchesSubdomains() throws {
        #expect(try isAllowed("https://a.example.com/x", by: "https://*.example.com/"))
        #expect(try isAllowed("https://a.b.example.com/x", by: "https://*.example.com"))
        #expect(try !isAllowed("https://example.com/x", by: "https://*.example.com"))
        #expect(try !isAllowed("https://evilexample.com/x", by: "https://*.example.com"))
        #expect(try !isAllowed("https://.example.com/x", by: "https://*.example.com"))
    }

    @Test(arguments: ["cdn.example.com", "ftp://a/", "https://", "", "https://a*.b/", "https://u@a/"])
    func invalidPrefixIsNoRule(_ text: String) { #expect(SourceRule(text) == nil) }

    @Test(arguments: [
        "file:///etc/passwd", "ftp://example.com/a", "data:image/png;base64,AA", "//example.com/a", "a.jpg", "",
        "https://", "https://user:secret@example.com/a.jpg",
    ])
    func otherURLsAreProblems(url: String) {
        #expect(throws: Problem.self) { try SourcePolicy().url(for: url) }
    }

    @Test(arguments: ["s3://photos/a/b.jpg", "S3://photos/100%25.jpg", "s3://photos/a%20b"])
    func objectsOfAllowedBucketsAreSources(url: String) throws {
        var policy = SourcePolicy(rules: [])
        policy.buckets = ["photos"]
        #expect(try policy.url(for: url).absoluteString == url)
        #expect(throws: Problem.self) { try SourcePolicy().url(for: url) }
        // An origin server may not redirect to an object.
        #expect(try !policy.allows(#require(URL(string: url))))
    }

    @Test(arguments: [
        ("s3://other/a", 403), ("s3://Photos/a", 403), ("s3://u:p@photos/a", 403), ("s3://photos", 400),
        ("s3://photos/", 400), ("s3://photos:80/a", 400), ("s3://photos/a?b", 400), ("s3://photos/a#b", 400),
        ("s3://photos/../other/a", 400), ("s3://photos/%2e%2e/other/a", 400), ("s3:photos/a", 400), ("s3:///a", 400),
    ])
    func otherObjectsAreProblems(url: String, status: Int) throws {
        var policy = SourcePolicy()
        policy.buckets = ["photos"]
        let problem = #expect(throws: Problem.self) { try policy.url(for: url) }
        #expect(problem?.status.code == status)
    }

    @Test(arguments: [
        "sample/../a.jpg", "sample/.hidden", "sample/", "sample/a/b.jpg", "sample/a\0", "sample/..",
        "sample/\u{301}/a.jpg", "sample/a\n",
    ])
    func samplesAreFilesOfOneFolder(name: String) throws {
        let folder = FileManager.default.temporaryDirectory
        #expect(throws: Problem.self) { try SourcePolicy(sampleFolder: folder).url(for: name) }
    }
}
