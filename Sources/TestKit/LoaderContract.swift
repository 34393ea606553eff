public import DarkroomCore
import Synchronization

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What every loader must hold. Each check throws a `ContractViolation` that says what does not.
///
/// The URLs that a check is given must be reachable, or out of reach, each time they are asked for.
public struct LoaderContract: Sendable {
    let loader: any ImageLoader
    let context: ImageContext
    let subject: Subject

    /// The contract of `loader`, asked under `context`.
    public init(_ loader: any ImageLoader, context: ImageContext = .init()) {
        self.loader = loader
        self.context = context
        subject = Subject(loader)
    }

    /// All checks: `url` brings `data`, `missing` are for the loader but cannot be had, `foreign` are for others.
    public func checkAll(_ url: URL, brings data: Data, missing: [URL] = [], foreign: [URL] = []) async throws {
        try checkURLs(own: [url] + missing, foreign: foreign)
        try await checkBytes(of: url, are: data)
        try await checkMilestones(of: url)
        try await checkLimit(of: url)
        try await checkLocalVersion(of: url)
        try await checkRevalidation(of: url)
        try await checkAccess(of: url)
        try await checkCancellation(of: url)
        for url in missing { try await checkFailure(of: url) }
    }

    /// It takes its own URLs and no others, whatever the letter case of their scheme.
    public func checkURLs(own: [URL], foreign: [URL] = []) throws {
        do {
            try loader.validate()
        } catch {
            throw subject.violation("its own configuration is refused: \(error)")
        }
        for url in own { try subject.require(loader.canLoad(url), "it does not take \(url.shown)") }
        for url in foreign { try subject.require(!loader.canLoad(url), "it takes \(url.shown), which is for others") }
    }

    /// `url` brings `data`, twice, all of it, and as many bytes as are announced.
    public func checkBytes(of url: URL, are data: Data) async throws {
        for _ in 0..<2 {
            let response = try await answer(to: request(url))
            guard let bytes = try await bytes(of: response, url) else {
                throw subject.violation("\(url.shown) brings no bytes")
            }
            try subject.require(
                bytes == data, "\(url.shown) brings \(bytes.count) bytes that are not the \(data.count) expected")
            if let announced = response.expectedByteCount {
                try subject.require(
                    announced == bytes.count, "\(announced) bytes are announced, and \(bytes.count) come")
            }
        }
    }

    /// What it tells of a transfer comes in order, and before the answer.
    public func checkMilestones(of url: URL) async throws {
        let told = Mutex<[TransferMilestone]>([])
        var request = request(url)
        request.report = { milestone in told.withLock { $0.append(milestone) } }
        _ = try await answer(to: request)
        var last = 0
        for milestone in told.withLock({ $0 }) {
            // After a retry, all begins again.
            guard let rank = milestone.rank else {
                last = 0
                continue
            }
            try subject.require(
                rank >= last, "it tells that a transfer has \(milestone), after something that comes later")
            last = rank
        }
    }

    /// No more bytes come than the context allows.
    ///
    /// An answer in chunks may go on, for the manager stops reading; one at once may not be larger.
    public func checkLimit(of url: URL) async throws {
        let whole = try await bytes(of: answer(to: request(url)), url)
        guard let byteCount = whole?.count, byteCount > 0 else { return }
        var request = request(url)
        request.context.limits.encodedByteCount = byteCount - 1
        do {
            guard case .data(let data) = try await loader.load(request).body else { return }
            try subject.require(
                data.count < byteCount, "it brings \(data.count) bytes at once where \(byteCount - 1) are the limit")
        } catch let error as ContractViolation {
            throw error
        } catch {
            try subject.require(
                (error as? ImageError)?.kind == .overLimit, "a source beyond the limit ends in another error: \(error)")
        }
    }

    /// What cannot be had ends in an `ImageError`, when it is asked for or when it is read.
    public func checkFailure(of url: URL) async throws {
        do {
            let response = try await loader.load(request(url))
            if case .chunks(let chunks) = response.body { for try await _ in chunks {} }
        } catch {
            try subject.require(error.isProper, "\(url.shown) ends in an error that is no ImageError: \(error)")
            let message = (error as? ImageError)?.message ?? ""
            return try subject.require(!message.isEmpty, "\(url.shown) ends in an error without a sentence")
        }
        throw subject.violation("\(url.shown) cannot be had, and is brought")
    }

    /// The version of a local source is the same as long as nothing changes; of others there is none.
    public func checkLocalVersion(of url: URL) async throws {
        let version = loader.localVersion(of: url)
        _ = try await answer(to: request(url))
        try subject.require(
            loader.localVersion(of: url) == version, "the version of \(url.shown) changes although nothing else does")
        try subject.require(version?.isEmpty != true, "the version of \(url.shown) is an empty text")
    }

    /// `change` changes what is behind `url`, which is on this machine, and its version with it.
    public func checkChange(of url: URL, _ change: () async throws -> Void) async throws {
        let version = loader.localVersion(of: url)
        try subject.require(version != nil, "\(url.shown) is on this machine, and has no version")
        try await change()
        try subject.require(
            loader.localVersion(of: url) != version, "\(url.shown) has changed, and its version has not")
    }

    /// It says that nothing has changed only to who has something, and brings all bytes to everybody else.
    public func checkRevalidation(of url: URL) async throws {
        let first = try await answer(to: request(url))
        if case .notModified = first.body {
            throw subject.violation("nothing was kept, and it says that nothing has changed")
        }
        let whole = try await bytes(of: first, url)
        guard let metadata = first.metadata else { return }
        let names = metadata.headers.keys.filter { $0 != $0.lowercased() }
        try subject.require(names.isEmpty, "the names of header fields are not in lower case: \(names.sorted())")
        var request = request(url)
        request.stored = metadata
        let second = try await answer(to: request)
        if case .notModified = second.body { return }
        try subject.require(
            try await bytes(of: second, url) == whole, "asked whether bytes still hold, it brings others")
    }

    /// It refuses nothing that it brings, may have it from a cache, and tells how it was reached if it restricts that.
    public func checkAccess(of url: URL) async throws {
        let request = request(url)
        let route = try await answer(to: request).route
        do {
            try loader.check(request)
        } catch {
            throw subject.violation("it brings \(url.shown), and refuses it before: \(error)")
        }
        for hop in route?.hops ?? [] {
            try subject.require(
                hop.url.user == nil && hop.url.password == nil, "the way to \(url.shown) has a user or a password in it"
            )
            let names = hop.credentials.filter { $0 != $0.lowercased() }
            try subject.require(names.isEmpty, "the names of credentials are not in lower case: \(names.sorted())")
        }
        guard loader.localVersion(of: url) == nil else { return }
        try subject.require(
            loader.permits(route, for: request), "what it brings of \(url.shown), it would not take from a cache")
    }

    /// A cancelled load ends, with an error or with what it had; `url` may be one that never answers by itself.
    ///
    /// It has `timeout` to do so, which only a loader that does not end needs.
    public func checkCancellation(of url: URL, timeout: Duration = .seconds(60)) async throws {
        for moment in LoadMoment.allCases {
            let reached = Gate()
            let load = Task { [loader, request = request(url)] in
                try await moment.load(request, with: loader, reaching: reached)
            }
            // A URL that never answers gets no further than being asked.
            let arrival = Task<Void, any Error> { await reached.waitForArrivals() }
            _ = await arrival.result(within: .milliseconds(100))
            load.cancel()
            guard let result = await load.result(within: timeout) else {
                throw subject.violation("cancelled, a load of \(url.shown) goes on")
            }
            guard case .failure(let error) = result else { continue }
            try subject.require(error.isCancellation || error.isProper, "cancelled, a load ends in \(error)")
        }
    }

    private func request(_ url: URL) -> LoadRequest { LoadRequest(url: url, context: context) }

    private func answer(to request: LoadRequest) async throws -> LoadResponse {
        do {
            return try await loader.load(request)
        } catch {
            throw subject.violation("\(request.url.shown) ends in \(error)")
        }
    }

    /// All bytes of a response; `nil` for one that has none.
    private func bytes(of response: LoadResponse, _ url: URL) async throws -> Data? {
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
    /// Its place in the order of a transfer; `nil` for a retry, which begins anew.
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

/// How far a load has come when the contract cancels it.
private enum LoadMoment: CaseIterable {
    case asked, reported, responded, receiving

    /// Loads all of `request`, and arrives at `gate` when this moment has come, at the latest at the end.
    func load(_ request: LoadRequest, with loader: any ImageLoader, reaching gate: Gate) async throws {
        var request = request
        let isReported = self == .reported
        request.report = { _ in if isReported { gate.arrive() } }
        if self == .asked { gate.arrive() }
        defer { gate.arrive() }
        let response = try await loader.load(request)
        if self == .responded { gate.arrive() }
        guard case .chunks(let chunks) = response.body else { return }
        for try await _ in chunks where self == .receiving { gate.arrive() }
    }
}
