#if S3
    import FoundationEssentials
    import Testing

    @testable import DarkroomS3

    /// The signatures of published examples are reproduced.
    @Suite struct SignatureV4Tests {
        private static let emptyHash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

        /// An example of the Amazon S3 API Reference, "Authenticating Requests: Using the Authorization Header".
        struct Example: Sendable {
            var method = "GET"
            var path = "/"
            var query: [(name: String, value: String)] = []
            var headers: [(name: String, value: String)] = []
            var payloadHash = SignatureV4Tests.emptyHash
            let signature: String
        }

        static let storageExamples = [
            Example(
                path: "/test.txt", headers: [("Range", "bytes=0-9")],
                signature: "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"),
            Example(
                method: "PUT", path: "/test%24file.text",
                headers: [("Date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY")],
                payloadHash: "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072",
                signature: "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"),
            Example(
                query: [("lifecycle", "")],
                signature: "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
            Example(
                query: [("prefix", "J"), ("max-keys", "2")],
                signature: "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
        ]

        @Test(arguments: storageExamples.indices) func storageExampleIsReproduced(_ index: Int) {
            let example = Self.storageExamples[index]
            let request = CanonicalRequest(
                method: example.method, path: example.path, query: PercentEncoding.query(example.query),
                headers: [
                    ("Host", "examplebucket.s3.amazonaws.com"), ("x-amz-date", "20130524T000000Z"),
                    ("x-amz-content-sha256", example.payloadHash),
                ] + example.headers, payloadHash: example.payloadHash)
            let credentials = S3Credentials(
                accessKeyID: "AKIAIOSFODNN7EXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
            let signature = SignatureV4(
                credentials: credentials, region: "us-east-1", timestamp: "20130524T000000Z")
            #expect(signature.signature(of: request) == example.signature, "\(request.text)")
            let prefix = "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
            #expect(signature.authorization(for: request).hasPrefix(prefix))
        }

        /// Examples of the test suite of Signature Version 4.
        static let generalExamples = [
            Example(signature: "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
            Example(
                method: "POST", signature: "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"),
            Example(
                query: [("Param2", "value2"), ("Param1", "value1")],
                signature: "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"),
            Example(
                path: "/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
                signature: "07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f"),
            Example(
                path: PercentEncoding.path("/ሴ".utf8),
                signature: "8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85"),
            Example(
                headers: [("My-Header1", " value1"), ("My-Header2", " \"a   b   c\"")],
                signature: "acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736"),
        ]

        @Test(arguments: generalExamples.indices) func generalExampleIsReproduced(_ index: Int) {
            let example = Self.generalExamples[index]
            let request = CanonicalRequest(
                method: example.method, path: example.path, query: PercentEncoding.query(example.query),
                headers: [("Host", "example.amazonaws.com"), ("X-Amz-Date", "20150830T123600Z")] + example.headers,
                payloadHash: example.payloadHash)
            let credentials = S3Credentials(
                accessKeyID: "AKIDEXAMPLE", secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY")
            let signature = SignatureV4(
                credentials: credentials, region: "us-east-1", service: "service", timestamp: "20150830T123600Z")
            #expect(signature.signature(of: request) == example.signature, "\(request.text)")
        }

        @Test func timestampIsInUniversalTime() {
            #expect(Date(timeIntervalSince1970: 1_369_353_600).timestamp == "20130524T000000Z")
            #expect(Date(timeIntervalSince1970: 951_782_399.9).timestamp == "20000228T235959Z")
            #expect(Date(timeIntervalSince1970: 951_827_696).timestamp == "20000229T123456Z")
        }

        @Test func bytesAreEscaped() {
            #expect(PercentEncoding.path("a/b c+é%~".utf8) == "a/b%20c%2B%C3%A9%25~")
            #expect(PercentEncoding.query([("b", "/ ="), ("a", "")]) == "a=&b=%2F%20%3D")
        }
    }
#endif
