@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import Synchronization
import TestSupport

/// The calls that a load makes to its caches, its loader and the engine of leases, as text.
///
/// The calls that the load waits for are in their order. Others, such as stores, happen meanwhile, and are sorted.
final class LoadTranscript: Sendable {
    private struct State {
        var names: [CacheKey: String]?
        var calls: [String] = []
        var background: [String] = []
        var hasResponse = false
    }

    private let state = Mutex(State())

    /// Starts to record. Keys are replaced by `names`.
    func start(naming names: [CacheKey: String]) { state.withLock { $0.names = names } }

    /// The lines so far.
    var lines: [String] {
        state.withLock { $0.calls + $0.background.sorted().map { "(meanwhile) \($0)" } }
    }

    /// Whether the loader has responded.
    var hasResponse: Bool { state.withLock(\.hasResponse) }

    /// Records a call at `place` about `key`, or the whole source, with its outcome. With `isAwaited`, the load waits for
    /// it.
    func note(
        _ place: String, _ call: String, _ key: CacheKey? = nil, _ outcome: String? = nil, isAwaited: Bool = true
    ) {
        state.withLock { state in
            guard let names = state.names else { return }
            let name = key.map { " " + (names[$0] ?? "\($0)") } ?? ""
            let line = "\(place): \(call)\(name)\(outcome.map { ", \($0)" } ?? "")"
            if isAwaited { state.calls.append(line) } else { state.background.append(line) }
        }
    }

    /// Records that the loader has responded.
    func noteResponse(_ outcome: String) {
        note("loader", "response", nil, outcome)
        state.withLock { $0.hasResponse = $0.names != nil }
    }
}

/// An image cache whose calls are part of a transcript.
struct TranscribedImageCache: ImageCacheWrapper {
    let base: FakeImageCache
    let transcript: LoadTranscript

    func image(for key: CacheKey) -> Image? {
        let image = base.image(for: key)
        transcript.note("images", "find", key, image == nil ? "a miss" : "found")
        return image
    }

    func ticket(forSource source: String) -> StoreTicket {
        transcript.note("images", "ticket")
        return base.ticket(forSource: source)
    }

    func store(_ image: Image, for key: CacheKey, with ticket: StoreTicket) {
        base.store(image, for: key, with: ticket)
        transcript.note("images", "store", key, ticket.isRefused ? "refused" : nil)
    }

    func startGeneration(of response: SourceResponse, after ticket: StoreTicket?) -> StoreTicket? {
        let started = base.startGeneration(of: response, after: ticket)
        transcript.note("images", response.step, response.original, response.outcome(started, after: ticket))
        return started
    }

    func images(ofSource source: String) -> [(CacheKey, Image)] {
        transcript.note("images", "find all of the source")
        return base.images(ofSource: source)
    }

    func remove(_ key: CacheKey) {
        base.remove(key)
        transcript.note("images", "remove", key)
    }

    func removeAll(ofSource source: String) {
        base.removeAll(ofSource: source)
        transcript.note("images", "remove all of the source")
    }
}

/// A data cache whose calls are part of a transcript.
struct TranscribedDataCache: DataCacheWrapper {
    let base: FakeDataCache
    let name: String
    let transcript: LoadTranscript
    /// Whether it is the shared cache. Loads wait for its lookups only.
    var isShared = false
    /// Whether a load waits for the answer of `contains`, so that the call is always made.
    var isLookAheadAwaited = false

    func lookUp(_ key: CacheKey) async -> DataLookup {
        let lookup = await base.lookUp(key)
        transcript.note(name, "ticket and find", key, (try? lookup.entry.get()) == nil ? "a miss" : "found")
        return lookup
    }

    func entry(for key: CacheKey) async throws -> DataEntry? {
        let entry = try await base.entry(for: key)
        transcript.note(name, "find", key, entry == nil ? "a miss" : "found")
        return entry
    }

    func entryInMemory(for key: CacheKey) -> DataEntry? {
        transcript.note(name, "find in memory", key, "a miss")
        return nil
    }

    func ticket(forSource source: String) async throws -> StoreTicket {
        // With a shared cache, those after the response are taken by stores there, to compare them.
        let isAwaited = !(isLookAheadAwaited && transcript.hasResponse)
        transcript.note(name, "ticket", isAwaited: isAwaited)
        return try await base.ticket(forSource: source)
    }

    func store(_ entry: DataEntry, for key: CacheKey) async throws {
        try await base.store(entry, for: key)
        transcript.note(name, "store", key, isAwaited: false)
    }

    func store(_ entry: DataEntry, for key: CacheKey, with ticket: StoreTicket) async throws {
        try await base.store(entry, for: key, with: ticket)
        transcript.note(name, "store", key, ticket.isRefused ? "refused" : nil, isAwaited: false)
    }

    func startGeneration(of response: SourceResponse, after ticket: StoreTicket?) async throws -> StoreTicket? {
        let started = try await base.startGeneration(of: response, after: ticket)
        transcript.note(
            name, response.step, response.original, response.outcome(started, after: ticket), isAwaited: !isShared)
        return started
    }

    func update(_ metadata: DataEntry.Metadata, for key: CacheKey) async throws {
        try await base.update(metadata, for: key)
        transcript.note(name, "update", key, isAwaited: !isShared)
    }

    func contains(_ key: CacheKey) async throws -> Bool {
        let contains = try await base.contains(key)
        if isLookAheadAwaited {
            transcript.note(name, "contains", key, contains ? "yes" : "no", isAwaited: false)
        }
        return contains
    }

    func remove(_ key: CacheKey) async throws {
        try await base.remove(key)
        transcript.note(name, "remove", key, isAwaited: !isShared)
    }

    func removeAll(ofSource source: String) async throws {
        try await base.removeAll(ofSource: source)
        transcript.note(name, "remove all of the source", isAwaited: !isShared)
    }
}

extension SourceResponse {
    fileprivate var step: String { isReplacement ? "start generation that replaces" : "start generation of" }

    /// Returns what a cache has answered. A copy of another node's response comes without a ticket.
    fileprivate func outcome(_ started: StoreTicket?, after ticket: StoreTicket?) -> String {
        "\(ticket == nil ? "without a ticket" : "with a ticket"), \(started == nil ? "refused" : "started")"
    }
}

/// A loader whose calls are part of a transcript.
struct TranscribedLoader: ImageLoader {
    let base: FakeOrigin
    let transcript: LoadTranscript
    /// Called when a request arrives, before it is sent.
    var willSend: @Sendable () async -> Void = {}

    func canLoad(_ url: URL) -> Bool { base.canLoad(url) }

    func load(_ request: LoadRequest) async throws -> LoadResponse {
        let tag = request.stored?.headers["etag"]
        transcript.note("loader", "request", nil, tag.map { "unless it still is \($0)" })
        await willSend()
        do {
            let response = try await base.load(request)
            if case .notModified = response.body {
                transcript.noteResponse("not modified")
            } else {
                transcript.noteResponse("\(response.metadata?.status ?? 0)")
            }
            return response
        } catch {
            transcript.noteResponse("an error of kind \((error as? ImageError).map { "\($0.kind)" } ?? "?")")
            throw error
        }
    }
}

/// Leases whose calls are part of a transcript.
struct TranscribedLeases: WorkLeases {
    let base: FakeLeases
    let transcript: LoadTranscript

    func lease(for work: WorkName, budget: TierBudget) async -> LeaseAnswer {
        let answer = await base.lease(for: work, budget: budget)
        guard case .granted(let lease) = answer else {
            transcript.note("leases", "ask for the \(work.kind)", work.key, "not granted")
            return answer
        }
        transcript.note("leases", "ask for the \(work.kind)", work.key, "granted")
        return .granted(Lease(base: lease, work: work, transcript: transcript))
    }

    private struct Lease: WorkLease {
        let base: any WorkLease
        let work: WorkName
        let transcript: LoadTranscript

        var renewalInterval: Duration { base.renewalInterval }
        var mayBeDone: Bool { base.mayBeDone }

        func renew() async -> Bool { await base.renew() }

        func end(_ outcome: WorkOutcome) async {
            transcript.note("leases", "end of the \(work.kind)", work.key, "\(outcome)", isAwaited: false)
            await base.end(outcome)
        }
    }
}
