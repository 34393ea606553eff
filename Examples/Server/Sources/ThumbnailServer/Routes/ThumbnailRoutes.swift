public import Darkroom
import Foundation
import HTTPTypes
public import Hummingbird
import NIOCore

/// `GET` and `HEAD` of `/{signature|insecure}/{options}/{source}`, for any Hummingbird application.
public struct ThumbnailRoutes: Sendable {
    private let manager: ImageManager
    private let settings: ThumbnailSettings
    private let vocabulary: ThumbnailVocabulary
    private let thumbnailer: Thumbnailer
    private let clientLimit: KeyedRateLimit<ClientNetwork>?
    private let metrics: ThumbnailMetrics
    private let orders = RecentCache<Question, ThumbnailOrder>(costLimit: 8 << 20)

    /// Routes that load with `manager`.
    ///
    /// `dataCache`, best the manager's own, keeps what is written; `executor`, best the manager's own, is where that is
    /// done. Throws an `ImageError` when a preset or a watermark among the settings cannot be used.
    public init(
        _ manager: ImageManager, dataCache: (any DataCache)?, executor: WorkExecutor, settings: ThumbnailSettings
    ) throws {
        self.manager = manager
        self.settings = settings
        vocabulary = try ThumbnailVocabulary(settings, coders: manager.coders)
        thumbnailer = Thumbnailer(manager, dataCache: dataCache, executor: executor, settings)
        clientLimit = settings.clientLimit.map { KeyedRateLimit($0) }
        metrics = ThumbnailMetrics()
    }

    /// Adds the routes to `router`, behind the settings' mount path.
    public func add<Context: ConnectedRequestContext>(to router: some RouterMethods<Context>) {
        for method in [HTTPRequest.Method.get, .head] {
            router.on("\(settings.mountPath)/:signature/:options/**", method: method) { request, context in
                await respond(to: request, over: context.channel)
            }
        }
    }

    /// Notes how much is held and under way. Call it now and then, best when metrics are read.
    public func sample() { metrics.sample(thumbnailer) }

    /// Ends all work; nothing new may come.
    public func cancelAll() { thumbnailer.cancelAll() }

    /// The signature of `path`, which is `/{options}/{source}`; `insecure` without a key.
    public func signature(of path: String) -> String { settings.signer?.signature(of: path) ?? "insecure" }

    private func respond(to request: Request, over channel: any Channel) async -> Response {
        let start = ContinuousClock.now
        var (response, label) = await answer(request, over: channel, start)
        metrics.count(status: response.status, label, .now - start)
        if request.method == .head { response.body = ResponseBody(contentLength: response.body.contentLength) { _ in } }
        return response
    }

    private func answer(
        _ request: Request, over channel: any Channel, _ start: ContinuousClock.Instant
    ) async -> (Response, String) {
        do {
            let order = try order(for: request)
            let answer = try await answer(to: order, request, over: channel)
            return (response(answer, order, request, start), answer.status.label)
        } catch let problem as Problem {
            return (failure(problem), "error")
        } catch let error as ImageError {
            return (failure(Problem(error)), "error")
        } catch {
            // Nobody is left to read it.
            return (Response(status: .init(code: 499, reasonPhrase: "Client Closed Request")), "cancelled")
        }
    }

    /// What `request` asks for. It is remembered: reading it takes longer than answering from memory.
    private func order(for request: Request) throws -> ThumbnailOrder {
        let question = Question(request)
        let order: ThumbnailOrder
        if let known = orders.value(for: question) {
            order = known
        } else {
            order = try newOrder(question)
            orders.store(order, for: question, cost: question.byteCount)
        }
        if let end = order.expiry, end < .now { throw Problem(.forbidden, "the signature has expired") }
        return order
    }

    private func newOrder(_ question: Question) throws -> ThumbnailOrder {
        let mount = settings.mountPath.utf8
        // The router takes more than one spelling of it.
        guard question.target.utf8.starts(with: mount) else {
            throw Problem(.notFound, "there are no pictures at this path")
        }
        let path = try ThumbnailPath(Substring(question.target.utf8.dropFirst(mount.count)))
        try authorize(path)
        let source = try SourceText(path.source)
        let options = try vocabulary.options(path.options)
        return try ThumbnailOrder(
            url: try settings.sources.url(source.url), options, suffix: source.format, question, settings, vocabulary,
            manager)
    }

    private func authorize(_ path: ThumbnailPath) throws(Problem) {
        if settings.allowsInsecure, path.signature.utf8.elementsEqual("insecure".utf8) { return }
        guard settings.signer?.accepts(path.signature, of: path.signedText) == true else {
            throw Problem(.forbidden, "the signature is not that of the path")
        }
    }

    private func answer(
        to order: ThumbnailOrder, _ request: Request, over channel: any Channel
    ) async throws -> Thumbnailer.Answer {
        let key = order.key
        if let key, let answer = thumbnailer.answerInMemory(order.job, key) { return answer }
        try clientLimit?.admit(client(of: request, channel.remoteAddress))
        return try await channel.whileConnected { [thumbnailer] in try await thumbnailer.answer(order.job, key) }
    }

    private func response(
        _ answer: Thumbnailer.Answer, _ order: ThumbnailOrder, _ request: Request, _ start: ContinuousClock.Instant
    ) -> Response {
        let representation = answer.representation
        var headers: HTTPFields = [
            .eTag: representation.entityTag,
            .cacheControl: representation.age(settings, at: .now).cacheControl,
            .cacheStatus: answer.status.field,
            .serverTiming: ServerTiming.field(answer.timings + [("total", .now - start)]),
        ]
        if !order.variedFields.isEmpty { headers[.vary] = order.variedFields.joined(separator: ", ") }
        if !order.acceptedHints.isEmpty { headers[.acceptClientHints] = order.acceptedHints.joined(separator: ", ") }
        guard !EntityTags.match(request.headers[values: .ifNoneMatch], representation.entityTag) else {
            return Response(status: .notModified, headers: headers)
        }
        headers[.contentType] = representation.format.mimeType
        headers[.contentDisposition] = "inline; filename=\"picture.\(representation.format.fileExtension)\""
        headers[.crossOriginResourcePolicy] = "cross-origin"
        headers[.timingAllowOrigin] = "*"
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: representation.body))
    }

    /// The answer about `problem`: the fallback picture, if there is one, under the same status.
    private func failure(_ problem: Problem) -> Response {
        var response = problem.response()
        guard let fallback = settings.fallback, let format = ImageFormat.sniff(fallback),
            problem.status != .forbidden, problem.status != .badRequest
        else { return response }
        response.headers[.contentType] = format.mimeType
        response.body = ResponseBody(byteBuffer: ByteBuffer(bytes: fallback))
        return response
    }

    /// Who asks: the other end, or whom the proxies before the server name.
    private func client(of request: Request, _ address: SocketAddress?) -> ClientNetwork {
        let named = request.headers[values: .forwardedFor].flatMap { $0.utf8.split(separator: UInt8(ascii: ",")) }
        if settings.proxyCount > 0, named.count >= settings.proxyCount,
            let client = ClientNetwork(named[named.count - settings.proxyCount].trimmed)
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
