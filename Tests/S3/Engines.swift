#if S3
    import DarkroomCore
    import DarkroomFleet
    import DarkroomTestKit
    import FoundationEssentials
    import Synchronization
    import TestSupport
    import Testing

    @testable import DarkroomS3

    extension S3Credentials {
        static let test = S3Credentials(accessKeyID: "AKDARKROOM", secretAccessKey: "secretsecretsecret")
    }

    extension S3ObjectStore {
        /// Creates a store of the bucket `b` at `url`.
        init(at url: URL, _ configure: (inout S3Configuration) -> Void = { _ in }) {
            var configuration = S3Configuration(endpoint: url, credentials: S3Credentials.test)
            configure(&configuration)
            self.init(bucket: "b", configuration: configuration)
        }

        func bytes(_ name: String = "a", byteLimit: Int = 1_000) async throws -> Data? {
            try await object(name, byteLimit: byteLimit, deadline: .seconds(60))?.bytes
        }
    }

    #if HTTP
        extension LoopbackServer {
            var root: URL { url("") }
        }

        extension LoopbackReply {
            /// Sends an error with `code`.
            func fail(_ status: Int, _ code: String, _ headers: [String: String] = [:]) async throws {
                try await send(
                    status, headers, Data("<Error><Code>\(code)</Code><Message>hidden</Message></Error>".utf8))
            }
        }
    #endif

    extension Data {
        /// Returns the XML document of a page of a list.
        static func list(_ keys: [String], nextToken: String? = nil, isTruncated: Bool = false) -> Data {
            let contents = keys.map { "<Contents><Key>\($0)</Key></Contents>" }.joined()
            let token = nextToken.map { "<NextContinuationToken>\($0)</NextContinuationToken>" } ?? ""
            return Data(
                ("<ListBucketResult>\(contents)\(token)<IsTruncated>\(isTruncated)</IsTruncated>"
                    + "</ListBucketResult>").utf8)
        }
    }

    /// Counts calls, and returns the number of each, beginning with 1.
    final class Counter: Sendable {
        private let count = Atomic(0)

        func next() -> Int { count.add(1, ordering: .relaxed).newValue }
    }

    /// Expects `body` to throw an error of kind `kind` without secrets, and returns it.
    @discardableResult
    func expectError(
        _ kind: ImageError.Kind, mentioning text: String = "", location: SourceLocation = #_sourceLocation,
        _ body: () async throws -> Void
    ) async throws -> ImageError {
        let error = try await #require(throws: ImageError.self, sourceLocation: location) { try await body() }
        #expect(error.kind == kind, "\(error)", sourceLocation: location)
        #expect(error.message.contains(text), "\(error)", sourceLocation: location)
        for secret in ["secretsecret", "hidden", "Signature="] {
            #expect(!String(reflecting: error).contains(secret), "\(error)", sourceLocation: location)
        }
        return error
    }
#endif
