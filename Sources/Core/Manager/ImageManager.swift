public import DarkroomPlatform

/// Loads images: combines caches, loaders, coders and transformers into one pipeline.
///
/// The components are fixed at initialization. Use one manager for as long as you load images: equal requests to the
/// same manager are coalesced. `LoadPipeline` performs the loads.
public final class ImageManager: Sendable {
    let pipeline: LoadPipeline
    let memory: MemoryLookup

    /// Creates a manager of the components that `configure` sets.
    ///
    /// - Throws: The errors of `configure`, and an ``ImageError`` of kind `refused` if a component has an invalid
    ///   value.
    public init(_ configure: (inout Components) throws -> Void) throws {
        var components = Components()
        try configure(&components)
        try components.validate()
        pipeline = LoadPipeline(components)
        memory = MemoryLookup(components, restrictsAccess: pipeline.caches.restrictsAccess)
        for tenant in memory.images.memoryTenants { components.memoryBudget.add(tenant) }
    }

    /// The registry of coders, for decoding and encoding outside a load.
    public var coders: CoderRegistry { pipeline.components.coders }

    func request(for url: URL, context: ImageContext) -> Request {
        Request(url, context: context, pipeline: pipeline)
    }
}

// Loading.
extension ImageManager {
    /// Loads the image at `url` with the options of `context`.
    ///
    /// An image in memory is returned without suspending, unless its source is on this machine: then the version of that is
    /// read first. Otherwise equal requests share one run. Cancelling the task leaves the run at once, and cancels it if no
    /// other caller is left.
    public func load(_ url: URL, context: ImageContext = .init()) async throws(ImageError) -> LoadResult {
        let isMiss: Bool
        switch memory.outcome(for: url, context: context) {
        case .hit(let hit): return hit.result(for: url)
        case .miss: isMiss = true
        case .undecided: isMiss = false
        }
        return try await pipeline.load(request(for: url, context: context), skipsMemory: isMiss)
    }

    /// Loads the image at `url` with the options of `context`, or returns the best substitute when the deadline
    /// expires.
    ///
    /// After `wait`, that is a stale image from the caches (``LoadResult/isStale``), the image at another size from
    /// memory (``LoadResult/isSubstitute``), or the last preview (`image.metadata.isPreview`), in this order. The
    /// caches are used only if the request may read them and the origin server does not forbid stale responses. After
    /// the deadline, the load continues only if other callers wait for it.
    ///
    /// - Throws: An ``ImageError`` of kind `timedOut` if there is no substitute.
    public func load<C: Clock>(
        _ url: URL, context: ImageContext = .init(), within wait: Duration, clock: C = ContinuousClock()
    ) async throws(ImageError) -> LoadResult where C.Duration == Duration {
        let request = request(for: url, context: context)
        do {
            return try await pipeline.calls.run { [pipeline] in
                try await pipeline.load(request, within: wait) {
                    try await clock.sleep(until: clock.now.advanced(by: wait), tolerance: nil)
                }
            }
        } catch {
            throw ImageError(error, in: .load)
        }
    }

    /// Loads an image like `load(_:context:)`, and calls `observer` with the events of the run, on any thread.
    func load(
        _ url: URL, context: ImageContext, observer: LoadPipeline.Results.Observer?
    ) async throws(ImageError) -> LoadResult {
        let lookup = memory.outcome(for: url, context: context)
        if case .hit(let hit) = lookup { return hit.result(for: url) }
        return try await pipeline.load(
            request(for: url, context: context), observer: observer, skipsMemory: lookup.isMiss)
    }
}
