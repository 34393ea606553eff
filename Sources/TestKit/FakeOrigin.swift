public import DarkroomCore
import Synchronization

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// An HTTP origin without sockets: a loader that brings what the HTTP loader would bring from a server that answers so.
///
/// It sends validators for what a cache holds, makes `notModified` of a 304, an error of kind `status` of what is no
/// success, and chunks of a body, whose length it checks against the limits. A body that breaks off is gone on with by a
/// range request when it has a strong tag. There are no redirects, cookies, encodings or credentials, and no content type
/// is refused.
public final class FakeOrigin: ImageLoader {
    /// What the origin is asked.
    public struct Request: Sendable {
        /// Where to.
        public let url: URL

        /// The header fields, with names in lower case.
        public let headers: [String: String]
    }

    private let answer: @Sendable (Request) async throws -> Answer
    private let fields: [String: String]
    private let asked = Mutex<[Request]>([])

    /// An origin of all `http` and `https` URLs that answers with `answer`, which may wait at a `Gate`; what it throws is a
    /// connection that fails. `fields` are sent with each request, with names in lower case.
    public init(fields: [String: String] = [:], answer: @escaping @Sendable (Request) async throws -> Answer) {
        self.fields = fields
        self.answer = answer
    }

    /// An origin that gives these answers in turn, and then the last one again and again.
    public convenience init(fields: [String: String] = [:], _ first: Answer, _ others: Answer...) {
        let answers = [first] + others
        let count = Mutex(0)
        self.init(fields: fields) { _ in
            count.withLock { count in
                defer { count += 1 }
                return answers[min(count, answers.count - 1)]
            }
        }
    }

    /// All requests so far, those for the rest of a body included.
    public var requests: [Request] { asked.withLock { $0 } }

    /// Whether it is a URL of HTTP.
    public func canLoad(_ url: URL) -> Bool { ["http", "https"].contains(url.scheme?.lowercased()) }

    /// The fields that every request has.
    public func requestFields(for request: LoadRequest) -> [String: String] { fields }

    /// Asks, and answers as the HTTP loader would.
    public func load(_ request: LoadRequest) async throws -> LoadResponse {
        request.tell(.started)
        let validators = request.validators
        let (asked, answer) = try await ask(request.url, fields.merging(validators) { $1 })
        request.tell(.connected)
        request.tell(.responded)
        let reply = answer.reply(to: asked)
        let metadata = ResponseMetadata(url: request.url, status: reply.status, headers: reply.headers)
        if reply.status == 304, !validators.isEmpty { return LoadResponse(.notModified, metadata: metadata) }
        guard (200..<300).contains(reply.status) else {
            throw ImageError(.status, .load, "the origin answered \(reply.status)", response: metadata)
        }
        let length = reply.headers["content-length"].flatMap { Int($0) }
        let bound = request.context.limits.encodedByteCount
        if let length, length > bound {
            throw ImageError.overLimit("encodedByteCount", value: length, bound: bound, stage: .load)
        }
        return LoadResponse(.chunks(chunks(reply, request)), expectedByteCount: length, metadata: metadata)
    }

    /// Asks once.
    func ask(_ url: URL, _ headers: [String: String]) async throws -> (Request, Answer) {
        let request = Request(url: url, headers: headers)
        asked.withLock { $0.append(request) }
        do {
            let answer = try await answer(request)
            try Task.checkCancellation()
            return (request, answer)
        } catch let error as ImageError {
            throw error
        } catch is CancellationError {
            throw ImageError.cancelled
        } catch {
            throw ImageError(.network, .load, "the origin could not be reached: \(error)", underlying: error)
        }
    }
}

extension LoadRequest {
    /// The header fields that ask whether the stored response still holds.
    fileprivate var validators: [String: String] {
        var validators: [String: String] = [:]
        validators["if-none-match"] = stored?.headers["etag"]
        validators["if-modified-since"] = stored?.headers["last-modified"]
        return validators
    }
}
