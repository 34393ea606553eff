public import DarkroomCore
public import DarkroomPlatform
import Synchronization

/// A fake HTTP origin server without sockets: a loader that returns what the HTTP loader would return for its
/// responses.
///
/// It sends validators for the stored response, returns `notModified` for a 304, throws an error of kind `status` for
/// an unsuccessful status, and otherwise streams the body in chunks. It checks the content length against the limits.
/// An interrupted body is resumed by a range request if it has a strong entity tag. `Set-Cookie` is reported in
/// `setCookies` only. There are no redirects, encodings or credentials, and every content type is accepted.
public final class FakeOrigin: ImageLoader {
    /// A request that the origin server received.
    public struct Request: Sendable {
        /// The requested URL.
        public let url: URL

        /// The header fields, with lowercase names.
        public let headers: [String: String]
    }

    private let respond: @Sendable (Request) async throws -> Response
    private let fields: [String: String]
    private let received = Mutex<[Request]>([])

    /// Creates an origin server for all `http` and `https` URLs.
    ///
    /// - Parameters:
    ///   - fields: Header fields of every request, with lowercase names.
    ///   - respond: Returns the response to a request. It may wait at a ``Gate``; an error is a failed connection.
    public init(fields: [String: String] = [:], respond: @escaping @Sendable (Request) async throws -> Response) {
        self.fields = fields
        self.respond = respond
    }

    /// Creates an origin server that sends these responses in order, and then repeats the last one.
    public convenience init(fields: [String: String] = [:], _ first: Response, _ others: Response...) {
        let responses = [first] + others
        let count = Mutex(0)
        self.init(fields: fields) { _ in
            count.withLock { count in
                defer { count += 1 }
                return responses[min(count, responses.count - 1)]
            }
        }
    }

    /// All requests so far, including range requests for the rest of a body.
    public var requests: [Request] { received.withLock { $0 } }

    /// Returns whether the scheme of the URL is `http` or `https`.
    public func canLoad(_ url: URL) -> Bool { ["http", "https"].contains(url.scheme?.lowercased()) }

    /// Returns the header fields of every request.
    public func requestFields(for request: LoadRequest) -> [String: String] { fields }

    /// Requests the URL, and returns the response as the HTTP loader would.
    public func load(_ request: LoadRequest) async throws -> LoadResponse {
        request.report(.started)
        let validators = request.validators
        let (sent, whole) = try await send(to: request.url, headers: fields.merging(validators) { $1 })
        request.report(.connected)
        request.report(.responded)
        let response = whole.sent(to: sent)
        var metadata = ResponseMetadata(url: request.url, status: response.status, headers: response.headers)
        let cookie = metadata.headers.removeValue(forKey: "set-cookie")
        var loaded = LoadResponse(
            .chunks(chunks(of: response, to: request)),
            expectedByteCount: response.headers["content-length"].flatMap { Int($0) }, metadata: metadata)
        loaded.setCookies = [cookie].compactMap(\.self)
        return try outcome(of: loaded, for: request)
    }

    /// Returns `response` as the HTTP loader would accept it, or throws the error with which it would reject it.
    public func accepted(_ response: LoadResponse, for request: LoadRequest) throws(ImageError) -> LoadResponse {
        guard let metadata = response.metadata else { return response }
        if metadata.status == 304, !request.validators.isEmpty {
            var response = response
            (response.body, response.expectedByteCount) = (.notModified, nil)
            return response
        }
        guard (200..<300).contains(metadata.status) else {
            throw ImageError(.status, .load, "the origin returned status \(metadata.status)", response: metadata)
        }
        try request.context.limits.check(encodedByteCount: metadata.headers["content-length"].flatMap { Int($0) } ?? 0)
        return response
    }

    /// Records and performs a single request.
    func send(to url: URL, headers: [String: String]) async throws -> (Request, Response) {
        let request = Request(url: url, headers: headers)
        received.withLock { $0.append(request) }
        do {
            let response = try await respond(request)
            try Task.checkCancellation()
            return (request, response)
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
    /// The validators of the stored response.
    fileprivate var validators: [String: String] {
        var validators: [String: String] = [:]
        validators["if-none-match"] = stored?.headers["etag"]
        validators["if-modified-since"] = stored?.headers["last-modified"]
        return validators
    }
}
