import Darkroom
import Foundation
import HTTPTypes
import NIOCore

/// Answers jobs: from memory, from disk, or by loading the picture and writing it anew.
final class Thumbnailer: Sendable {
    /// An answer, and how it came about.
    struct Answer: Sendable {
        let representation: Representation
        let status: CacheStatus
        /// What took how long, for `Server-Timing`; in the order it happened.
        var timings: [(name: String, duration: Duration)] = []
    }

    private let manager: ImageManager
    private let dataCache: (any DataCache)?
    private let settings: ThumbnailSettings
    private let executor: WorkExecutor
    let memory: RecentCache<CacheKey, Representation>
    let admission: Admission
    private let flights = Flights<CacheKey, Answer>()

    /// One that loads with `manager`, and keeps what it writes in `dataCache`, which should be the manager's own: then
    /// what was made of bytes that have changed is removed with the originals.
    init(_ manager: ImageManager, dataCache: (any DataCache)?, executor: WorkExecutor, _ settings: ThumbnailSettings) {
        self.manager = manager
        self.dataCache = dataCache
        self.settings = settings
        self.executor = executor
        memory = RecentCache(costLimit: settings.memoryByteLimit)
        admission = Admission(settings.workLimit)
    }

    /// What is in memory under `key` and may be used; `nil` when it must be made or looked for.
    func answerInMemory(_ job: ThumbnailJob, _ key: CacheKey) -> Answer? {
        guard let representation = memory.value(for: key) else { return nil }
        return usable(representation, job, key)
    }

    /// The answer to `job`; equal jobs at a time share one.
    func answer(_ job: ThumbnailJob, _ key: CacheKey?) async throws -> Answer {
        guard let key else { return try await admission.run { try await self.make(job, nil, nil) } }
        return try await flights.value(for: key) { try await self.look(job, key) }
    }

    /// Ends all work.
    func cancelAll() { flights.cancelAll() }

    private func look(_ job: ThumbnailJob, _ key: CacheKey) async throws -> Answer {
        let start = ContinuousClock.now
        let kept = await keptRepresentation(job, key)
        if let kept, var answer = usable(kept, job, key) {
            hold(kept, key)
            answer.timings = [("disk", .now - start)]
            return answer
        }
        return try await admission.run { try await self.make(job, key, kept) }
    }

    private func keptRepresentation(_ job: ThumbnailJob, _ key: CacheKey) async -> Representation? {
        if let representation = memory.value(for: key) { return representation }
        // A cache that fails is a miss; and so is what another server stored that could reach more than this one.
        guard let entry = try? await dataCache?.entry(for: key), let info = entry.metadata.info,
            manager.permits(entry.metadata.original, for: job.url, context: job.context)
        else { return nil }
        return Representation(
            entry.data, info.format, original: entry.metadata.original, confirmedAt: entry.metadata.storedAt)
    }

    /// An answer with `representation`, if it may be used; past its freshness it is renewed meanwhile.
    private func usable(_ representation: Representation, _ job: ThumbnailJob, _ key: CacheKey) -> Answer? {
        let age = representation.age(settings, at: .now)
        guard age.isUsable, age.isKept else { return nil }
        if !age.isFresh {
            flights.start(key) {
                try await self.admission.run { try await self.make(job, key, representation) }
            }
        }
        return Answer(representation: representation, status: .hit(secondsLeft: age.secondsLeft))
    }

    /// Loads the picture; and writes it, unless it is still that of which `kept` was made.
    private func make(_ job: ThumbnailJob, _ key: CacheKey?, _ kept: Representation?) async throws -> Answer {
        let result = try await manager.load(job.url, context: job.context)
        guard result.image.size.pixelCount <= settings.pixelLimit else {
            throw ImageError(
                .overLimit, .transform,
                "the answer has \(result.image.size) pixels, and the limit is \(settings.pixelLimit)")
        }
        var timings = result.report.stages.map { (name: $0.step.rawValue, duration: $0.duration) }
        let version = result.report.decision == .notStored ? nil : result.image.metadata.original
        if let kept, let version, kept.original?.revision == version.revision {
            let renewed = Representation(kept, original: version, confirmedAt: .now)
            if let key { await keep(renewed, key, isNew: false) }
            return Answer(representation: renewed, status: .renewed(result.report.decision), timings: timings)
        }
        let start = ContinuousClock.now
        let format = job.format(for: result.image)
        let data = try await encoded(result, as: format, job)
        timings.append(("encode", .now - start))
        let representation = Representation(data, format, original: version, confirmedAt: .now)
        if let key, version != nil { await keep(representation, key, isNew: true) }
        return Answer(
            representation: representation,
            status: .made(isStale: kept != nil, isStored: key != nil && version != nil, origin: result.origin),
            timings: timings)
    }

    /// The bytes of `result`, whose encoding has the time that decoding and transforming have left.
    private func encoded(_ result: LoadResult, as format: ImageFormat, _ job: ThumbnailJob) async throws -> Data {
        let flag = CancellationFlag()
        let image = result.image
        let clock = WorkClock(limit: settings.limits.workSeconds)
        for step in [LoadReport.Step.decode, .transform] {
            clock.add(secondsSpent: (result.report.duration(of: step) ?? .zero) / .seconds(1))
        }
        return try await withTaskCancellationHandler {
            try await executor.run { [manager, limits = settings.limits] in
                try manager.coders.encode(
                    image, as: format, context: job.encoding(image, as: format, limits), cancellation: flag,
                    clock: clock)
            }
        } onCancel: {
            flag.set()
        }
    }

    private func hold(_ representation: Representation, _ key: CacheKey) {
        // Of small pictures under long URLs, the keys take most of the memory.
        let keyByteCount = key.variant.reduce(key.source.utf8.count) { $0 + $1.utf8.count }
        memory.store(representation, for: key, cost: representation.body.readableBytes + keyByteCount + 512)
    }

    private func keep(_ representation: Representation, _ key: CacheKey, isNew: Bool) async {
        hold(representation, key)
        var metadata = DataEntry.Metadata(storedAt: representation.confirmedAt)
        metadata.info = ImageInfo(format: representation.format, storedSize: PixelSize(1, 1))
        metadata.original = representation.original
        // A cache that fails keeps nothing, and that is all.
        if isNew {
            try? await dataCache?.store(
                DataEntry(Data(representation.body.readableBytesView), metadata: metadata), for: key)
        } else {
            try? await dataCache?.update(metadata, for: key)
        }
    }
}
