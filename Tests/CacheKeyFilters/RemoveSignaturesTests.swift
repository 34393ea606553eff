import DarkroomCacheKeyFilters
import Testing

struct RemoveSignaturesTests {
    private static let aws4 =
        "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=AKIA%2F20130721%2Fus-east-1%2Fs3%2Faws4_request"
        + "&X-Amz-Date=20130721T201207Z&X-Amz-Expires=86400&X-Amz-SignedHeaders=host&X-Amz-Signature=00ff"
    private static let google4 =
        "X-Goog-Algorithm=GOOG4-RSA-SHA256&X-Goog-Credential=a%40b&X-Goog-Date=20181026T181309Z&X-Goog-Expires=900"
        + "&X-Goog-SignedHeaders=host&X-Goog-Signature=00ff"
    private static let azure = "sv=2022-11-02&st=2023&se=2024&sr=b&sp=r&sip=10.0.0.1&spr=https&sig=a%2Bb%3D"
    private static let cloudFront = "Expires=1767290400&Signature=nitf~x&Key-Pair-Id=K2JC&Hash-Algorithm=SHA256"

    static let signatures: [(RemoveSignatures.Provider, String)] = [
        (.aws, aws4), (.aws, "\(aws4)&X-Amz-Security-Token=t%2F&X-Amz-Content-Sha256=UNSIGNED-PAYLOAD"),
        (.aws, "AWSAccessKeyId=AKIA&Expires=1363867332&Signature=eY9%2Fj%3D"),
        (.aws, "x-amz-security-token=t&AWSAccessKeyId=AKIA&Expires=1&Signature=e"),
        (.googleCloudStorage, google4),
        (.googleCloudStorage, "GoogleAccessId=a%40b&Expires=1388534400&Signature=UfKB"), (.azureStorage, azure),
        (.azureStorage, "sv=2022-11-02&ss=b&srt=o&sp=r&se=2024&sig=a"),
        (
            .azureStorage,
            "skoid=1&sktid=2&skt=3&ske=4&sks=b&skv=2020-02-10&saoid=5&scid=6&sdd=1&ses=s&sv=2020-02-10&sr=d&sig=a"
        ),
        (.cloudFront, cloudFront), (.cloudFront, "Policy=eyJ_&Signature=nitf&Key-Pair-Id=K2JC"),
    ]

    @Test(arguments: signatures)
    func signaturesAreRemoved(of provider: RemoveSignatures.Provider, query: String) {
        let text = "https://bucket.example/a%2Bb.png?w=2&\(query)&versionId=7#top"
        let rest = "https://bucket.example/a%2Bb.png?w=2&versionId=7#top"
        #expect(RemoveSignatures().key(text) == rest)
        #expect(RemoveSignatures(of: [provider]).key(text) == rest)
        let others = RemoveSignatures.Provider.allCases.filter { $0 != provider }
        #expect(RemoveSignatures(of: others).key(text) == text)
        #expect(RemoveSignatures().key("https://bucket.example/a?\(query)") == "https://bucket.example/a")
    }

    @Test(arguments: [
        "sp=1&st=2&sr=3&se=4&sv=5", "Expires=1&Policy=2&w=3", "Signature=1", "sig=1", "Expires=1&Signature=2",
        "X-Amz-Date=1&X-Amz-Expires=2", "AWSAccessKeyId=1&Expires=2", "Key-Pair-Id=1&Policy=2",
        "GoogleAccessId=1&Signature=2",
        "SIG=1&SV=2", "sig%3D1&sv", "", "X-Goog-Signature=1",
    ])
    func itemsWithoutASignatureAreKept(query: String) {
        #expect(RemoveSignatures().key("http://a/b?\(query)") == "http://a/b?\(query)")
    }

    @Test func itemsOfOneSchemeAreKeptWithAnother() {
        #expect(
            RemoveSignatures().key("http://a/b?\(Self.azure)&Expires=1&Policy=2") == "http://a/b?Expires=1&Policy=2")
        #expect(
            RemoveSignatures().key("http://a/b?\(Self.aws4)&sp=1&se=2&Expires=3") == "http://a/b?sp=1&se=2&Expires=3")
    }

    @Test func namesMayBePercentEncoded() {
        #expect(RemoveSignatures().key("http://a/b?s%69g=1&sv=2&x") == "http://a/b?x")
        #expect(RemoveSignatures().key("data:,?sig=1&sv=2") == "data:,?sig=1&sv=2")
        #expect(RemoveSignatures().key("http://a/b#?sig=1&sv=2") == "http://a/b#?sig=1&sv=2")
    }
}
