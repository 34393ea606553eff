import DarkroomCore
import DarkroomPlatform
import Synchronization

/// A data cache over the object store of a shared tier.
final class ObjectDataCache: DataCache {
    private static let stallError = ImageError(
        .busy, .cache, "the object store is not written to, because other writes hang")

    private let objects: any ObjectStore
    private let purges: (any PurgeChannel)?
    private let configuration: SharedTier.Configuration
    private let names: ObjectNames
    private let envelope: Envelope
    let breaker: Breaker
    /// Opens when the store answers, but does not deliver objects that it has, as one does whose disks hang.
    private let deliveries: Breaker
    /// The queue of stores. Its limit is below the number of connections to the store, so that reads find a free one
    /// even while stores hang.
    let writes: WriteQueue
    /// The queue of removals, which may take minutes: they leave the other queue to stores, and are no part of its stalls.
    /// None is refused, because other nodes find what was removed until it succeeds.
    let removals: WriteQueue
    /// The queue of originals, which are large: without it, they would take all connections and much of the processor
    /// from results, for which requests wait.
    let originals: AdmissionQueue
    /// The queue of reads. Too many at once would slow each other down until all of them seemed to fail.
    private let reads: AdmissionQueue
    private let silence: SilenceWatch
    /// Sleeps for the delay of originals.
    private let pause: @Sendable () async throws -> Void
    private let counts = Mutex(SharedTierStatistics())

    /// Creates a cache whose breaker and queues measure time with `clock`.
    init(
        _ objects: any ObjectStore, purges: (any PurgeChannel)?, configuration: SharedTier.Configuration,
        clock: some Clock<Duration> = ContinuousClock()
    ) {
        self.objects = objects
        self.purges = purges
        self.configuration = configuration
        names = ObjectNames(prefix: configuration.prefix, encoderVersion: configuration.encoderVersion)
        envelope = Envelope(
            secret: configuration.secret,
            ageTolerance: configuration.writeDeadline + configuration.readDeadline + .seconds(1))
        breaker = Breaker(configuration.breaker, clock: clock)
        deliveries = Breaker(configuration.breaker, clock: clock)
        // A deadline may be noticed a little earlier than by this clock.
        silence = SilenceWatch(patience: configuration.readDeadline * 3 / 4, clock: clock)
        pause = { try await clock.sleep(for: configuration.originalDelay) }
        reads = AdmissionQueue(limit: configuration.readLimit)
        let quarter = max(1, configuration.writeLimit / 4)
        originals = AdmissionQueue(limit: quarter)
        removals = WriteQueue(limit: quarter, patience: configuration.writePatience, clock: clock)
        writes = WriteQueue(
            limit: configuration.writeLimit, patience: configuration.writePatience, clock: clock)
    }

    /// Whether this node's results reach the other nodes, and theirs this one.
    var reachesOthers: Bool { position == .closed && !writes.isStalled }

    private var position: Breaker.Position {
        breaker.position == .closed ? deliveries.position : breaker.position
    }

    var statistics: SharedTierStatistics {
        var statistics = counts.withLock { $0 }
        statistics.objectBreaker = position
        statistics.areWritesStalled = writes.isStalled
        return statistics
    }

    func entry(for key: CacheKey) async throws -> DataEntry? {
        let reading: EntryReading<StoredObject?>
        do {
            reading = try await deliver(names.name(of: key))
        } catch {
            counts.withLock { $0.failedReads += 1 }
            throw error
        }
        guard let object = try reading.get() else {
            counts.withLock { $0.misses += 1 }
            return nil
        }
        do {
            let entry = try envelope.entry(in: object, for: key, at: .now)
            counts.withLock { $0.hits += 1 }
            return entry
        } catch {
            counts.withLock { $0.mismatches += 1 }
            throw ImageError(.corrupt, .cache, "an object of the shared tier is not used: \(error)", underlying: error)
        }
    }

    func store(_ entry: DataEntry, for key: CacheKey) async throws {
        // Until then, the processor is free for the request that waits for the image.
        if key.isOriginal, configuration.originalDelay > .zero { try await pause() }
        let stallCount = writes.failedStallCount
        guard !writes.isStalled else {
            counts.withLock { $0.failedWrites += 1 }
            throw Self.stallError
        }
        let admission = key.isOriginal ? try await originals.admit() : nil
        defer { admission?.release() }
        // Small results, which many may wait for, do not queue behind originals.
        try await write(in: writes, key.isOriginal ? .low : .normal) {
            // Stores that have waited through a stall would hang as well, a few at a time.
            guard writes.failedStallCount == stallCount else { throw Self.stallError }
            // Dated only now, because the time in the queue would count as a difference of the clocks.
            let object = try envelope.object(entry, for: key, at: .now)
            guard object.count <= configuration.objectByteLimit else {
                throw ImageError(
                    .overLimit, .cache,
                    "the entry has \(object.count) bytes, more than objectByteLimit, which is \(configuration.objectByteLimit)"
                )
            }
            try await call {
                try await objects.put(object, as: names.name(of: key), deadline: configuration.writeDeadline)
            }
        }
        counts.withLock { $0.stores += 1 }
    }

    /// Does nothing: a revalidated entry is stored again.
    func update(_ metadata: DataEntry.Metadata, for key: CacheKey) async throws {}

    func contains(_ key: CacheKey) async throws -> Bool {
        let isFound = try await read {
            try await objects.contains(names.name(of: key), deadline: configuration.readDeadline)
        }
        if !isFound { counts.withLock { $0.misses += 1 } }
        return isFound
    }

    func remove(_ key: CacheKey) async throws {
        try await write(in: removals) {
            try await objects.remove(names.name(of: key), deadline: configuration.writeDeadline)
        }
    }

    /// Removes the entries that `response` replaces. The other nodes are not notified: their copies are as fresh as
    /// before.
    func startGeneration(of response: SourceResponse, after ticket: StoreTicket?) async throws -> StoreTicket? {
        if ticket == nil || response.isReplacement {
            try await removeObjects(under: names.source(response.source))
        }
        return .unchecked
    }

    func removeAll(ofSource source: String) async throws {
        try await removeAll(under: names.source(source), announcing: .source(source))
    }

    func removeAll() async throws { try await removeAll(under: names.all, announcing: .all) }

    /// Removes the objects, and meanwhile notifies the other nodes. From then on, they ignore objects that were stored before.
    private func removeAll(under prefix: String, announcing purge: Purge) async throws {
        async let announcement: Void? = purges?.publish(purge, deadline: configuration.writeDeadline)
        do {
            try await removeObjects(under: prefix)
        } catch {
            // Otherwise, it would be cancelled.
            _ = try? await announcement
            throw error
        }
        _ = try await announcement
    }

    private func removeObjects(under prefix: String) async throws {
        try await write(in: removals) {
            try await objects.removeAll(under: prefix, deadline: configuration.writeDeadline)
        }
    }

    /// Performs a write when its turn comes.
    private func write(
        in queue: WriteQueue, _ priority: LoadPriority = .normal, _ body: () async throws -> Void
    ) async throws {
        do {
            try await queue.write(priority, body)
        } catch {
            // An entry that is too large is no failure of the store.
            if (error as? ImageError)?.kind != .overLimit { counts.withLock { $0.failedWrites += 1 } }
            throw error
        }
    }

    /// Reads the object `name`, unless most of those that the store has did not arrive recently.
    private func deliver(_ name: String) async throws -> EntryReading<StoredObject?> {
        guard deliveries.admits() else {
            throw ImageError(
                .busy, .cache, "the object store is not read, because most of its objects did not arrive recently")
        }
        do {
            let reading = try await read {
                try await EntryReading.catchingShortage {
                    try await objects.object(
                        name, byteLimit: configuration.objectByteLimit, deadline: configuration.readDeadline)
                }
            }
            if case .finished(.some) = reading {
                deliveries.record(isFailure: false)
            } else {
                deliveries.recordWithoutProof()
            }
            return reading
        } catch {
            // A call that was not made says nothing.
            let isMade = !Task.isCancelled && (error as? ImageError)?.kind != .busy
            deliveries.record(isFailure: isMade ? true : nil)
            throw error
        }
    }

    /// Performs a read. Gives up the tier for the current request if the store is silent.
    private func read<Value>(_ body: () async throws -> Value) async throws -> Value {
        let admission = try await reads.admit()
        defer { admission.release() }
        guard let read = silence.begin() else {
            TierBudget.current?.giveUp()
            throw ImageError(.busy, .cache, "the object store is not called, because it does not answer")
        }
        do {
            let value = try await call(body)
            silence.end(read, .answered)
            return value
        } catch {
            let kind = (error as? ImageError)?.kind
            let outcome: SilenceWatch.Outcome =
                kind == .overLimit ? .answered : Task.isCancelled ? .cancelled : .unanswered
            // A store that is only slow still brings the nodes together.
            if silence.end(read, outcome) { TierBudget.current?.giveUp() }
            throw error
        }
    }

    private func call<Value>(_ body: () async throws -> Value) async throws -> Value {
        guard let value = try await breaker.run(body) else {
            throw ImageError(.busy, .cache, "the object store is not called, because most calls have failed recently")
        }
        return value
    }
}
