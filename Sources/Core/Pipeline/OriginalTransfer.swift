import DarkroomPlatform

/// A request to a loader, which is about to be sent, and the original that results from its response.
struct OriginalTransfer {
    /// The outcome of a request to the loader.
    enum Outcome {
        /// The origin server has confirmed the stored original, which is returned with its new freshness.
        case notModified(Original)
        /// The origin server has responded with an image, whose body has yet to be received.
        case response(LoadResponse)
    }

    private let request: Request
    private let pipeline: LoadPipeline
    private let rules: CacheRules
    private let loader: any ImageLoader
    private let stored: DataEntry?
    private let localRevision: String?
    private let times: TransferTimes
    private let moment = LoadMoment.now()
    /// Counts the bytes as they arrive, and for as long as the original is referenced.
    private let memory: TransferMemory

    /// Creates a transfer for the request of `rules`, whose original is `stored` if it was loaded before. `memory` has the bytes
    /// of that.
    init(
        _ rules: CacheRules, pipeline: LoadPipeline, loader: any ImageLoader, stored: DataEntry?, memory: TransferMemory
    ) {
        request = rules.request
        self.rules = rules
        self.pipeline = pipeline
        self.loader = loader
        self.stored = stored
        // Read before the bytes, so that a change during the transfer is detected at the next load.
        localRevision = request.isLocal ? request.localRevision ?? UUID().uuidString : nil
        times = TransferTimes(now: pipeline.components.now)
        self.memory = memory
        memory.beginTransfer()
    }

    /// Whether the source is on this machine.
    var isLocal: Bool { localRevision != nil }

    /// Calls the loader, with the validators of the stored original if there is one.
    func response(progress: TransferTrace) async throws -> Outcome {
        var loadRequest = LoadRequest(
            url: request.url, context: request.context, stored: stored.flatMap(validators), urgency: memory.urgency)
        loadRequest.memory = memory
        loadRequest.report = { [times] in
            times.record($0)
            progress.record($0)
        }
        var response = try await loader.load(loadRequest)
        if case .notModified = response.body, let stored, let validators = loadRequest.stored {
            if validators.isConfirmed(by: storable(response.metadata)) {
                progress.recordHead(of: response)
                return .notModified(confirmed(stored, by: response))
            }
            // The 304 does not select the stored response, so the image is requested again without validators.
            loadRequest.stored = nil
            response = try await loader.load(loadRequest)
        }
        progress.recordHead(of: response)
        // Recorded now, because receiving the body may take long.
        _ = times.receivedAt
        return .response(response)
    }

    /// Returns the original whose body `response` delivers.
    func original(of response: LoadResponse, emit: (TransferEvent) -> Void) async throws -> Original {
        if let metadata = response.metadata, let lack = metadata.lack {
            throw ImageError(
                .status, .load, "the origin server returned status \(metadata.status) with \(lack)", response: metadata)
        }
        let (body, received) = try await response.collected(
            limits: request.context.limits, memory: memory, emit)
        let revision = try await revision(of: body)
        let original = original(of: response, body: body, revision: revision, received: received).holding(memory)
        guard case .data(let data) = body else { return original }
        do {
            let executor = pipeline.components.workExecutor
            _ = try await pipeline.coders(for: request).coder(for: data, on: executor, urgency: memory.urgency)
            return original
        } catch {
            return original.failing(with: ImageError(error, in: .decode))
        }
    }

    /// Returns what `original`, received with `response`, is to the caches; `nil` if it invalidates no cached entries.
    ///
    /// All originals of a source have the same generations. So the first response with one of several begins none, which
    /// would refuse what loads of the others are about to store.
    func generation(of original: Original, from response: LoadResponse) -> SourceResponse? {
        guard case .data = original.body, original.decision != .unchanged else { return nil }
        if original.forbidsStore {
            // A response with another status says nothing about the stored image.
            return response.metadata?.isCompleteImage == true ? removal() : nil
        }
        let isReplacement = stored != nil || request.context.cacheUse == .loaderOnly
        guard isReplacement || !isLocal && !request.hasSourceOptions else { return nil }
        return generation(revision: original.version?.revision, isReplacement: isReplacement)
    }

    /// Returns the generation that begins without an original, because it must not be stored any more.
    func removal() -> SourceResponse? { generation(revision: nil, isReplacement: true) }

    private func generation(revision: String?, isReplacement: Bool) -> SourceResponse? {
        guard let key = request.originalKey else { return nil }
        var response = SourceResponse(of: key, at: moment, revision: revision)
        response.isReplacement = isReplacement
        return response
    }

    /// Returns the revision of `body`: the digest of its bytes, so that equal bytes have equal revisions in all caches.
    private func revision(of body: Original.Body) async throws -> String {
        if let localRevision { return localRevision }
        guard case .data(let data) = body else { return UUID().uuidString }
        guard data.count > Data.quickDigestByteCount else { return data.contentDigest }
        return try await pipeline.components.workExecutor.run { data.contentDigest }
    }

    private func original(
        of response: LoadResponse, body: Original.Body, revision: String, received: ReceivedBytes?
    ) -> Original {
        let forbidsStore = forbidsStore(response.metadata, of: response)
        var version =
            isLocal
            ? OriginalVersion(revision: revision, isLocal: true)
            : version(revision, by: response.metadata, of: response)
        var decision = decision(forbidsStore: forbidsStore)
        var entry: DataEntry?
        if case .data(let data) = body {
            if !forbidsStore, let stored, stored.data == data, let existing = stored.metadata.original {
                // The same bytes, so all variants remain valid.
                version.revision = existing.revision
                decision = .unchanged
            }
            var metadata = DataEntry.Metadata(storedAt: times.receivedAt)
            metadata.response = storable(response.metadata)?.storable
            metadata.setCookies = response.storableCookies
            metadata.original = version
            let kept = decision == .unchanged ? stored?.metadata.extendedData : nil
            metadata.extendedData = request.context.extendedData ?? kept
            entry = DataEntry(data, metadata: metadata)
        }
        return Original(
            .init(
                body: body, origin: isLocal ? .local : .network, version: version, entry: entry, received: received,
                forbidsStore: forbidsStore, decision: decision, setCookies: response.setCookies))
    }

    /// Returns the stored original with its new freshness, after its origin server has confirmed it.
    private func confirmed(_ stored: DataEntry, by response: LoadResponse) -> Original {
        var confirmed = stored
        let metadata = stored.metadata.response?.updated(by: storable(response.metadata))
        confirmed.metadata.response = metadata
        if !response.storableCookies.isEmpty { confirmed.metadata.setCookies = response.storableCookies }
        confirmed.metadata.original = version(
            stored.metadata.original?.revision ?? UUID().uuidString, by: metadata, of: response)
        // The bytes are those of the stored response, by whichever route it was confirmed.
        confirmed.metadata.original?.route = stored.metadata.original?.route
        if stored.metadata.original?.sharing.isForbidden == true {
            confirmed.metadata.original?.sharing.isForbidden = true
        }
        memory.finish(withEntryOf: stored.data.count)
        return Original(
            confirmed, decision: .revalidated, forbidsStore: forbidsStore(metadata, of: response),
            setCookies: response.setCookies.isEmpty ? nil : response.setCookies
        ).holding(memory)
    }

    /// Returns the validators of `stored` that this request may send.
    private func validators(of stored: DataEntry) -> ResponseMetadata? {
        let isOtherVariant = rules.verdict(on: stored.metadata.original) == .varies
        return isOtherVariant ? stored.metadata.response?.forOtherFields : stored.metadata.response
    }

    /// Returns the version `revision` with the freshness of `metadata`, which `response` has just delivered or
    /// confirmed.
    private func version(
        _ revision: String, by metadata: ResponseMetadata?, of response: LoadResponse
    ) -> OriginalVersion {
        let fields = response.requestFields ?? rules.requestFields
        var version = OriginalVersion(
            revision: revision,
            freshness: Freshness(
                of: metadata, after: response.redirects, sentAt: times.sentAt, receivedAt: times.receivedAt),
            varied: VariedFields(of: metadata, after: response.redirects, sent: fields))
        version.sharing = SharingRules(
            of: metadata, after: response.redirects, requestFields: fields,
            times: (sentAt: times.sentAt, receivedAt: times.receivedAt))
        if !response.setCookies.isEmpty { version.sharing.isForbidden = true }
        version.route = response.route.map { route in
            SourceRoute(
                route.hops.map { hop in
                    var hop = hop
                    hop.url = pipeline.storable(hop.url, for: request)
                    return hop
                })
        }
        return version
    }

    /// Returns `metadata` without the secrets in its URL that must not be stored.
    private func storable(_ metadata: ResponseMetadata?) -> ResponseMetadata? {
        guard var metadata else { return nil }
        metadata.url = pipeline.storable(metadata.url, for: request)
        return metadata
    }

    /// Returns whether the image that `metadata` describes must not be stored.
    private func forbidsStore(_ metadata: ResponseMetadata?, of response: LoadResponse) -> Bool {
        guard let metadata else { return false }
        guard metadata.isCompleteImage else { return true }
        if case .lifetime(_, ignoresNoStore: true) = request.context.freshnessPolicy { return false }
        return ([metadata] + response.redirects).contains { CacheControl(of: $0.headers).forbidsStore }
    }

    private func decision(forbidsStore: Bool) -> CacheDecision {
        if request.context.cacheUse == .loaderOnly { return .bypassed(.loaderOnly) }
        if forbidsStore { return .notStored }
        guard stored != nil else { return .missing }
        return isLocal ? .localChanged : .changed
    }
}

extension ResponseMetadata {
    /// The reason why a response with a status of success has no whole image.
    fileprivate var lack: String? {
        switch status {
        case 204, 205: "no image"
        case 206 where headers["content-range"]?.contentRangeTotal(from: 0) == nil: "only a part of the image"
        default: nil
        }
    }
}
