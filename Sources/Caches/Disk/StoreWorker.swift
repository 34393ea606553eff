import DarkroomCore
import DarkroomFiles

/// Runs the operations of a disk cache on threads of its own, and reports failures.
struct StoreWorker: Sendable {
    private static let sliceCount = 32

    /// The factor by which operations on many entries may take longer than others.
    private static let longPatience = 10

    let store: EntryStore
    private let path: FilePath
    private let failures: FailureReports
    private let watch: HangWatch
    private let executor = WorkExecutor(name: "disk-cache", width: 2)

    init(_ path: FilePath, limits: EntryStore.Limits, failures: FailureReports, watch: HangWatch = HangWatch()) {
        self.path = path
        self.failures = failures
        self.watch = watch
        store = EntryStore(EntryDirectory(path), limits: limits)
    }

    /// The number of operations waiting for a thread.
    var waitingCount: Int { executor.waitingCount }

    /// Whether the disk has not completed an operation in time, and still does not.
    var isHanging: Bool { watch.isHanging }

    /// Creates the directory synchronously. If the disk is full, or the folder may only be read, the next store tries
    /// again.
    func prepare() throws(ImageError) {
        do {
            try store.directory.prepare()
        } catch let error as SystemError where error.isDiskFull {
            report(error)
        } catch let obstacle where obstacle is ReadOnlyFolder || obstacle is HeldLock {
            report(of: failure(obstacle))
        } catch {
            let message = "the disk cache's directory \(path.text) cannot be used: \(error)"
            throw ImageError(.storage, .cache, message, underlying: error)
        }
    }

    /// Runs `body` on a thread of the cache.
    func run<Result: Sendable>(_ body: @escaping @Sendable (EntryStore) throws -> Result) async throws -> Result {
        try await run(patience: 1, body)
    }

    /// Runs `body`, which accesses many entries, on a thread of the cache.
    func runLong<Result: Sendable>(_ body: @escaping @Sendable (EntryStore) throws -> Result) async throws -> Result {
        try await run(patience: Self.longPatience, body)
    }

    private func run<Result: Sendable>(
        patience: Int, _ body: @escaping @Sendable (EntryStore) throws -> Result
    ) async throws -> Result {
        try await reportingHang {
            try await executor.run(watchedBy: watch, patience: patience) { try reporting(body) }
        }
    }

    /// Runs a reading `body`, unless the calling task is cancelled before it starts.
    func read<Result: Sendable>(_ body: @escaping @Sendable (EntryStore) throws -> Result) async throws -> Result {
        try await reportingHang {
            try await executor.runUnlessCancelled(watchedBy: watch) { _ in try reporting(body) }
        }
    }

    /// Reads the entry of `key`, as soon as there is memory for it.
    func entry(for key: CacheKey) async throws -> DataEntry? {
        try await EntryReading.result { memory in
            try await read { store in try store.read(key, memory) }
        }
    }

    /// Takes a ticket of the source of `key`, and then reads the entry. Failures are reported separately.
    func lookUp(_ key: CacheKey) async -> DataLookup {
        do {
            return try await EntryReading.result { memory in
                try await reportingHang {
                    try await executor.runUnlessCancelled(watchedBy: watch) { _ in
                        let ticket = (try? reporting { store in try store.ticket(forSource: key.source) }) ?? .refused
                        do {
                            let reading = try reporting { store in try store.read(key, memory) }
                            return reading.map { DataLookup(ticket: ticket, entry: .success($0)) }
                        } catch {
                            return .finished(DataLookup(ticket: ticket, entry: .failure(error)))
                        }
                    }
                }
            }
        } catch {
            return DataLookup(ticket: .refused, entry: .failure(error))
        }
    }

    private func reporting<Result>(_ body: (EntryStore) throws -> Result) throws -> Result {
        do {
            return try body(store)
        } catch {
            throw report(error)
        }
    }

    private func reportingHang<Result>(_ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let hang as HangWatch.Hang {
            throw report(hang)
        }
    }

    /// Reports a failed operation, and returns the error to throw. Of those that fail because the folder may only be
    /// read, only the first is reported, until it is writable again.
    @discardableResult
    func report(_ error: any Error) -> ImageError {
        guard !(error is ReadOnlyFolder) else { return failure(error) }
        let refusal = (error as? SystemError).flatMap { store.directory.usage.access.refusal(after: $0) }
        let failure = failure(refusal ?? error)
        report(of: failure)
        return failure
    }

    private func report(of failure: ImageError) {
        failures.report(failure, cause: failure.underlying.map { "\($0)" } ?? failure.message)
    }

    private func failure(_ error: any Error) -> ImageError {
        store.counts.failures.increment()
        let refusal = error as? ReadOnlyFolder
        let state = refusal == nil ? "cannot be used" : "can only be read"
        return ImageError(
            .storage, .cache, "the disk cache at \(path.text) \(state): \(error)", underlying: refusal?.cause ?? error)
    }

    /// Runs `body` for each shard, and lets other operations run in between.
    func forEachShard(_ body: @escaping @Sendable (EntryStore, Shard) throws -> Void) async throws {
        for shard in try await run({ store in try store.directory.shards() }) {
            guard !Task.isCancelled else { throw ImageError.cancelled }
            try await runLong { store in try body(store, shard) }
        }
    }

    /// Runs `body` for slices of the entries, and lets other operations run in between.
    func forEachSlice(_ body: @escaping @Sendable (EntryStore, ArraySlice<ListedEntry>) throws -> Void) async throws {
        for shard in try await run({ store in try store.directory.shards() }) {
            var rest = try await runLong { store in try store.directory.entries(of: shard) }[...]
            while !rest.isEmpty {
                guard !Task.isCancelled else { throw ImageError.cancelled }
                let slice = rest.prefix(Self.sliceCount)
                try await runLong { store in try body(store, slice) }
                rest = rest.dropFirst(Self.sliceCount)
            }
        }
    }

    /// Cleans up after killed processes, unless the last scan was within `interval`.
    func scan(after interval: Duration) async {
        do {
            guard try await run({ store in try store.directory.isScanDue(after: interval) }) else { return }
            try await forEachShard { store, shard in try store.directory.repair(shard) }
            try await run { store in try store.directory.recordScan() }
        } catch {
            // Already reported. The next start, or an eviction that lists the shard, will clean up the rest.
        }
    }
}
