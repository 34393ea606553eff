public import Darkroom
import HTTPTypes
public import Hummingbird
import NIOCore
import ServerPlatform

/// `GET` and `HEAD` of `/{signature|insecure}/{options}/{source}`, for any Hummingbird application.
public struct ThumbnailRoutes: Sendable {
    private let manager: ImageManager
    private let settings: ThumbnailSettings
    private let parser: ThumbnailRequestParser
    private let memory: MemoryDataCache?
    private let purges: PurgeWatch?
    private let clientLimit: KeyedRateLimit<ClientNetwork>?
    private let metrics: ThumbnailMetrics
    private let parsedRequests = RecentCache<RequestKey, ThumbnailRequest>(costLimit: 8 << 20)
    /// The latest requests whose files were in memory, by the bytes of their heads.
    private let repeatedRequests = RecentCache<ByteBuffer, RecognizedRequest>(costLimit: 8 << 20)

    /// Creates routes that load with `manager`.
    ///
    /// - Parameters:
    ///   - memory: The tier of the manager's data cache whose size is reported.
    ///   - purges: The watch that removes from memory what others remove from disk.
    /// - Throws: An `ImageError` if a preset, a watermark or the fallback of the settings is invalid.
    public init(
        _ manager: ImageManager, memory: MemoryDataCache? = nil, purges: PurgeWatch? = nil, settings: ThumbnailSettings
    ) throws {
        self.manager = manager
        self.purges = purges
        self.memory = memory
        self.settings = settings
        parser = try ThumbnailRequestParser(settings, manager: manager)
        if let fallback = settings.fallback {
            do {
                _ = try manager.coders.decode(fallback)
            } catch {
                throw ImageError(.refused, .request, "the fallback is no image that the server reads: \(error.message)")
            }
        }
        clientLimit = settings.clientLimit.map { KeyedRateLimit($0) }
        metrics = ThumbnailMetrics()
    }

    /// Adds the routes to `router`, behind the settings' mount path.
    public func add<Context: ConnectedRequestContext>(to router: some RouterMethods<Context>) {
        for method in [HTTPRequest.Method.get, .head] {
            router.on("\(settings.mountPath)/:signature/:options/**", method: method) { request, context in
                await respond(to: request, in: context)
            }
        }
    }

    /// Updates the gauges. Call it when metrics are read.
    public func sample() { metrics.sample(manager, memory: memory) }

    /// Returns the signature of `path`, which is `/{options}/{source}`; `insecure` without a key.
    public func signature(of path: String) -> String { settings.signer?.signature(of: path) ?? "insecure" }

    /// Returns whether a request is for a thumbnail: a `GET` or `HEAD` of at least three components behind the mount
    /// path, whatever they are.
    func accepts(_ head: HTTPRequest) -> Bool {
        guard head.method == .get || head.method == .head, let path = head.path?.utf8,
            path.starts(with: settings.mountPath.utf8)
        else { return false }
        let end = path.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? path.endIndex
        let components = path[..<end].dropFirst(settings.mountPath.utf8.count)
        let slash = UInt8(ascii: "/")
        return components.first == slash && components.split(separator: slash, maxSplits: 2).count == 3
    }

    /// Returns the response to `request`.
    func respond(to request: Request, in context: some ConnectedRequestContext) async -> Response {
        let start = ContinuousClock.now
        var response: Response
        let label: String
        var thumbnail: ThumbnailRequest?
        do {
            let parsed = try thumbnailRequest(for: request.head)
            thumbnail = parsed
            let result = try await result(of: parsed, for: request, over: context.channel)
            let representation = Representation(result, total: .now - start)
            response = Response(self.reply(to: request.head, for: parsed, with: representation))
            label = representation.cacheStatus.label
        } catch let problem as Problem {
            (response, label) = (failure(problem, of: thumbnail), "error")
        } catch let error as ImageError {
            let problem = thumbnail?.isSample == true && error.kind == .invalidURL ? .noSample : Problem(error)
            FailureLog(context.logger).note(error, of: thumbnail, status: problem.status)
            (response, label) = (failure(problem, of: thumbnail), "error")
        } catch {
            // The client has closed the connection.
            (response, label) = (Response(status: .init(code: 499, reasonPhrase: "Client Closed Request")), "cancelled")
        }
        metrics.record(status: response.status, cacheLabel: label, duration: .now - start)
        if request.method == .head { response.body = ResponseBody(contentLength: response.body.contentLength) { _ in } }
        return response
    }

    /// Returns a request for a thumbnail in its parsed form, if an equal one was parsed lately; `nil` for all others.
    func recognize(_ head: HTTPRequest) -> RecognizedRequest? {
        guard accepts(head), let thumbnail = parsedRequests.value(for: RequestKey(head)) else { return nil }
        return RecognizedRequest(head: head, thumbnail: thumbnail)
    }

    /// Remembers `request`, whose head consists of `bytes`.
    func remember(_ request: RecognizedRequest, for bytes: ByteBuffer) {
        // A copy, because the buffer may be part of a larger one.
        let key = ByteBuffer(bytes: bytes.readableBytesView)
        repeatedRequests.store(request, for: key, cost: 1024 + 2 * key.readableBytes)
    }

    /// Returns the remembered request whose head consists of `bytes`.
    func repeatedRequest(_ bytes: ByteBuffer) -> RecognizedRequest? { repeatedRequests.value(for: bytes) }

    /// Returns the reply to a request whose file is in memory; `nil` for all others, and for those that fail.
    func replyFromMemory(to request: RecognizedRequest) -> Reply? {
        let start = ContinuousClock.now
        guard (try? request.thumbnail.checkExpiry()) != nil,
            let result = hitInMemory(request.thumbnail)
        else { return nil }
        let representation = Representation(result, total: .now - start)
        let reply = reply(to: request.head, for: request.thumbnail, with: representation)
        metrics.record(
            status: reply.status, cacheLabel: representation.cacheStatus.label, duration: .now - start)
        return reply
    }

    /// Returns the parsed request. It is cached, because parsing takes longer than a memory hit.
    func thumbnailRequest(for head: HTTPRequest) throws -> ThumbnailRequest {
        let key = RequestKey(head)
        let parsed: ThumbnailRequest
        if let cached = parsedRequests.value(for: key) {
            parsed = cached
        } else {
            parsed = try parser.request(for: key)
            parsedRequests.store(parsed, for: key, cost: key.byteCount)
        }
        try parsed.checkExpiry()
        return parsed
    }

    /// Returns the result, for which only clients within their rate limit may cause work.
    private func result(
        of thumbnail: ThumbnailRequest, for request: Request, over channel: any Channel
    ) async throws -> EncodedResult {
        if let hit = hitInMemory(thumbnail) { return hit }
        if let clientLimit, await !manager.hasStoredFile(for: thumbnail.image) {
            try clientLimit.admit(client(of: request, at: channel.remoteAddress))
        }
        // Not before, because the sources of refused requests would displace others.
        if let source = thumbnail.cachedSource { await purges?.follow(source) }
        return try await channel.whileConnected { [manager] in
            try await manager.encoded(thumbnail.image)
        }
    }

    private func hitInMemory(_ thumbnail: ThumbnailRequest) -> EncodedResult? {
        guard let hit = manager.encodedInMemory(thumbnail.image) else { return nil }
        if let source = thumbnail.cachedSource { purges?.note(source) }
        return hit
    }

    private func reply(
        to head: HTTPRequest, for thumbnail: ThumbnailRequest, with representation: Representation
    ) -> Reply {
        let key = RecentFields.Key(
            entityTag: representation.entityTag,
            cacheControl: representation.lifetime(settings).ending(at: thumbnail.expiry).field,
            cacheStatus: representation.cacheStatus.field)
        let timing = representation.serverTiming(isNegotiated: thumbnail.isNegotiated)
        guard !IfNoneMatch.matches(key.entityTag, in: head.headerFields[values: .ifNoneMatch]) else {
            return Reply(
                status: .notModified, fields: ReplyFields(cachingFields(key, of: thumbnail)),
                timing: timing)
        }
        let fields = thumbnail.recentFields.fields(for: key) {
            ReplyFields(cachingFields(key, of: thumbnail) + contentFields(of: representation.format))
        }
        return Reply(
            status: .ok, fields: fields, timing: timing, file: representation.file)
    }

    private func cachingFields(_ key: RecentFields.Key, of thumbnail: ThumbnailRequest) -> HTTPFields {
        var headers: HTTPFields = [
            .eTag: key.entityTag, .cacheControl: key.cacheControl, .cacheStatus: key.cacheStatus,
        ]
        if !thumbnail.variedFields.isEmpty { headers[.vary] = thumbnail.variedFields.joined(separator: ", ") }
        if !thumbnail.acceptedHints.isEmpty {
            headers[.acceptClientHints] = thumbnail.acceptedHints.joined(separator: ", ")
        }
        return headers
    }

    private func contentFields(of format: ImageFormat) -> HTTPFields {
        [
            .contentType: format.mimeType,
            .contentDisposition: "inline; filename=\"image.\(format.fileExtension)\"",
            .crossOriginResourcePolicy: "cross-origin",
            .timingAllowOrigin: "*",
        ]
    }

    /// Returns the response for `problem`: with the same status, the fallback image if there is one.
    private func failure(_ problem: Problem, of thumbnail: ThumbnailRequest?) -> Response {
        var response = problem.response(expiry: thumbnail?.expiry)
        guard let fallback = settings.fallback, let format = ImageFormat.sniff(fallback),
            problem.status != .forbidden, problem.status != .badRequest
        else { return response }
        response.headers[.contentType] = format.mimeType
        response.body = ResponseBody(byteBuffer: ByteBuffer(bytes: fallback))
        return response
    }

    /// Returns the network of the client: that of the connection, or the one that trusted proxies report.
    private func client(of request: Request, at address: SocketAddress?) -> ClientNetwork {
        let forwarded = request.headers[values: .forwardedFor].flatMap { $0.utf8.split(separator: UInt8(ascii: ",")) }
        if settings.proxyCount > 0, forwarded.count >= settings.proxyCount,
            let client = ClientNetwork(forwarded[forwarded.count - settings.proxyCount].trimmed)
        {
            return client
        }
        return address?.ipAddress.flatMap { ClientNetwork($0.utf8) } ?? .unknown
    }
}

extension HTTPField.Name {
    static let cacheStatus = Self("Cache-Status") ?? .cacheControl
    static let serverTiming = Self("Server-Timing") ?? .cacheControl
    static let timingAllowOrigin = Self("Timing-Allow-Origin") ?? .cacheControl
    static let acceptClientHints = Self("Accept-CH") ?? .cacheControl
    static let forwardedFor = Self("X-Forwarded-For") ?? .cacheControl
}
