public import DarkroomCore
public import DarkroomPlatform
import Synchronization

/// The rules that every loader must follow. Each check throws a ``ContractViolation`` that describes the broken rule.
///
/// The URLs passed to a check must be reachable, or unreachable, each time they are requested.
public struct LoaderContract: Sendable {
    let loader: any ImageLoader
    let context: ImageContext
    let negotiatedKeys: Set<ObjectIdentifier>
    let subject: Subject

    /// Creates the contract of `loader`, with the options of `context`.
    ///
    /// - Parameters:
    ///   - loader: The loader to check.
    ///   - context: The options of its requests.
    ///   - negotiatedKeys: The keys that the loader reads although they do not affect the source, because the origin server
    ///     declares in `Vary` that it selects the image by their values.
    public init(
        _ loader: any ImageLoader, context: ImageContext = .init(), negotiatedKeys: [any ImageContextKey.Type] = []
    ) {
        self.loader = loader
        self.context = context
        self.negotiatedKeys = Set(negotiatedKeys.map { ObjectIdentifier($0) })
        subject = Subject(loader)
    }

    /// Runs all checks: `url` returns `data`, the loader accepts `missing` but cannot load them, and rejects `foreign`.
    public func checkAll(_ url: URL, returns data: Data, missing: [URL] = [], foreign: [URL] = []) async throws {
        try checkURLs(own: [url] + missing, foreign: foreign)
        try await checkBytes(of: url, equal: data)
        try await checkOptions(of: url)
        try await checkMilestones(of: url)
        try await checkLimit(of: url)
        try await checkLocalVersion(of: url)
        try await checkRevalidation(of: url)
        try await checkAccess(of: url)
        try await checkCancellation(of: url)
        for url in missing { try await checkFailure(of: url) }
    }

    /// Checks that the loader accepts its own URLs and no others.
    public func checkURLs(own: [URL], foreign: [URL] = []) throws {
        do {
            try loader.validate()
        } catch {
            throw subject.violation("its configuration is invalid: \(error)")
        }
        for url in own { try subject.require(loader.canLoad(url), "it does not accept \(url.shown)") }
        for url in foreign { try subject.require(!loader.canLoad(url), "it accepts \(url.shown), which is foreign") }
    }

    /// Checks that `url` returns all of `data`, twice, and as many bytes as announced.
    public func checkBytes(of url: URL, equal data: Data) async throws {
        for _ in 0..<2 {
            let response = try await response(to: request(url))
            guard let bytes = try await bytes(of: response, from: url) else {
                throw subject.violation("\(url.shown) returns no bytes")
            }
            try subject.require(
                bytes == data, "\(url.shown) returns \(bytes.count) bytes that are not the \(data.count) expected")
            if let announced = response.expectedByteCount {
                try subject.require(
                    announced == bytes.count, "\(announced) bytes are announced, but \(bytes.count) arrive")
            }
        }
    }

    /// Checks that the milestones of a transfer are reported in order, and before the response.
    public func checkMilestones(of url: URL) async throws {
        let reported = Mutex<[TransferMilestone]>([])
        var request = request(url)
        request.report = { milestone in reported.withLock { $0.append(milestone) } }
        _ = try await response(to: request)
        var last = 0
        for milestone in reported.withLock({ $0 }) {
            // After a retry, the order begins anew.
            guard let rank = milestone.rank else {
                last = 0
                continue
            }
            try subject.require(
                rank >= last, "it reports the milestone \(milestone) after a later one")
            last = rank
        }
    }

    /// Checks that no more bytes are returned at once than the context allows.
    ///
    /// A response in chunks may exceed the limit, because the manager stops reading.
    public func checkLimit(of url: URL) async throws {
        let whole = try await bytes(of: response(to: request(url)), from: url)
        guard let byteCount = whole?.count, byteCount > 0 else { return }
        var request = request(url)
        request.context.limits.encodedByteCount = byteCount - 1
        do {
            guard case .data(let data) = try await loader.load(request).body else { return }
            try subject.require(
                data.count < byteCount, "it returns \(data.count) bytes at once, but the limit is \(byteCount - 1)")
        } catch let error as ContractViolation {
            throw error
        } catch {
            try subject.require(
                (error as? ImageError)?.kind == .overLimit, "a source beyond the limit ends in another error: \(error)")
        }
    }

    /// Checks that a URL that cannot be loaded ends in an `ImageError`, from the request or while reading.
    public func checkFailure(of url: URL) async throws {
        do {
            let response = try await loader.load(request(url))
            if case .chunks(let chunks) = response.body { for try await _ in chunks {} }
        } catch {
            try subject.require(error.isProper, "\(url.shown) ends in an error that is not an ImageError: \(error)")
            let message = (error as? ImageError)?.message ?? ""
            return try subject.require(!message.isEmpty, "\(url.shown) ends in an error without a message")
        }
        throw subject.violation("\(url.shown) should fail, but is loaded")
    }

    /// Checks that the version of a local source stays the same as long as nothing changes.
    public func checkLocalVersion(of url: URL) async throws {
        let version = loader.localVersion(of: url)?.read()
        _ = try await response(to: request(url))
        try subject.require(
            loader.localVersion(of: url)?.read() == version,
            "the version of \(url.shown) changes although nothing else does")
        try subject.require(version?.isEmpty != true, "the version of \(url.shown) is an empty text")
    }

    /// Checks that `change`, which changes the local source at `url`, changes its version.
    public func checkChange(of url: URL, _ change: () async throws -> Void) async throws {
        let version = loader.localVersion(of: url)?.read()
        try subject.require(version != nil, "\(url.shown) is local, but has no version")
        try await change()
        try subject.require(
            loader.localVersion(of: url)?.read() != version, "\(url.shown) has changed, but its version has not")
    }

    /// Checks that only a request with a stored response receives `notModified`, and every other one all bytes.
    public func checkRevalidation(of url: URL) async throws {
        let first = try await response(to: request(url))
        if case .notModified = first.body {
            throw subject.violation("it reports that nothing has changed, but nothing was stored")
        }
        let whole = try await bytes(of: first, from: url)
        guard let metadata = first.metadata else { return }
        let names = metadata.headers.keys.filter { $0 != $0.lowercased() }
        try subject.require(names.isEmpty, "the names of header fields are not in lower case: \(names.sorted())")
        var request = request(url)
        request.stored = metadata
        let second = try await response(to: request)
        if case .notModified = second.body { return }
        try subject.require(
            try await bytes(of: second, from: url) == whole, "it returns other bytes on revalidation")
    }

    /// Checks that the loader accepts and permits what it returns, also from a cache, and that its route contains no
    /// secrets.
    public func checkAccess(of url: URL) async throws {
        let request = request(url)
        let response = try await response(to: request)
        do {
            _ = try loader.accepted(response, for: request)
        } catch {
            throw subject.violation("it loads \(url.shown), but does not accept its own response: \(error)")
        }
        let route = response.route
        do {
            try loader.check(request)
        } catch {
            throw subject.violation("it loads \(url.shown), but its check refuses it: \(error)")
        }
        for hop in route?.hops ?? [] {
            try subject.require(
                hop.url.user == nil && hop.url.password == nil,
                "the route to \(url.shown) contains a user or a password"
            )
            let names = hop.credentials.filter { $0 != $0.lowercased() }
            try subject.require(names.isEmpty, "the names of credentials are not in lower case: \(names.sorted())")
        }
        guard loader.localVersion(of: url) == nil else { return }
        try subject.require(
            loader.permits(route, for: request), "it loads \(url.shown), but does not permit it from a cache")
    }

    /// Checks that a cancelled load ends within `timeout`, with an error or with its result. `url` may be one that never
    /// responds.
    public func checkCancellation(of url: URL, timeout: Duration = .seconds(60)) async throws {
        for moment in LoadMoment.allCases {
            let reached = Gate()
            let load = Task { [loader, request = request(url)] in
                try await moment.load(request, with: loader, reaching: reached)
            }
            // A URL that never responds gets no further than the request.
            let arrival = Task<Void, any Error> { await reached.waitForArrivals() }
            _ = await arrival.result(within: .milliseconds(100))
            load.cancel()
            guard let result = await load.result(within: timeout) else {
                throw subject.violation("a cancelled load of \(url.shown) continues")
            }
            guard case .failure(let error) = result else { continue }
            try subject.require(error.isCancellation || error.isProper, "a cancelled load ends in \(error)")
        }
    }

    private func request(_ url: URL) -> LoadRequest { LoadRequest(url: url, context: context) }

    func response(to request: LoadRequest) async throws -> LoadResponse {
        do {
            return try await loader.load(request)
        } catch {
            throw subject.violation("\(request.url.shown) ends in \(error)")
        }
    }

    /// Returns all bytes of a response; `nil` if it has none.
    func bytes(of response: LoadResponse, from url: URL) async throws -> Data? {
        switch response.body {
        case .data(let data): return data
        case .image, .notModified: return nil
        case .chunks(let chunks):
            do {
                var data = Data()
                for try await chunk in chunks { data.append(chunk) }
                return data
            } catch {
                throw subject.violation("reading \(url.shown) ends in \(error)")
            }
        }
    }
}

extension TransferMilestone {
    /// The position in the order of a transfer; `nil` for a retry, after which the order begins anew.
    fileprivate var rank: Int? {
        switch self {
        case .started: 1
        case .connected: 2
        case .responded: 3
        case .retries: nil
        }
    }
}

extension URL {
    fileprivate var shown: String { absoluteString.shown }
}

/// The moment at which the contract cancels a load.
private enum LoadMoment: CaseIterable {
    case requested, reported, responded, receiving

    /// Loads all of `request`, and arrives at `gate` at this moment, at the latest at the end.
    func load(_ request: LoadRequest, with loader: any ImageLoader, reaching gate: Gate) async throws {
        var request = request
        let isReported = self == .reported
        request.report = { _ in if isReported { gate.arrive() } }
        if self == .requested { gate.arrive() }
        defer { gate.arrive() }
        let response = try await loader.load(request)
        if self == .responded { gate.arrive() }
        guard case .chunks(let chunks) = response.body else { return }
        for try await _ in chunks where self == .receiving { gate.arrive() }
    }
}
