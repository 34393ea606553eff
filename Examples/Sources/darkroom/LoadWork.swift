import Console
import Darkroom

/// The outcome of one source.
struct LoadOutcome: Sendable {
    let index: Int
    let result: Result<LoadedPicture, ImageError>
    let duration: Duration
}

/// The reported properties of a loaded image, without its pixels.
struct LoadedPicture: Sendable {
    let key: CacheKey?
    let format: ImageFormat
    let size: PixelSize
    let frameCount: Int
    let origin: LoadResult.Origin
    /// The size of the written file, or else of the encoded original; `nil` when neither is available.
    let byteCount: Int?
    let output: String?
    /// Problems that did not prevent the load, one sentence each.
    let notes: [String]
    /// The report of the load.
    let report: LoadReport
}

/// Loads sources, and writes the results.
struct LoadWork: Sendable {
    let sources: [Source]
    let loader: SourceLoader
    let destination: Destination?
    let format: ImageFormat?
    private let executor = WorkExecutor(name: "output", width: 2)

    init(sources: [Source], loader: SourceLoader, destination: Destination?, format: ImageFormat?) {
        self.sources = sources
        self.loader = loader
        self.destination = destination
        self.format = format
    }

    /// Loads and writes the source at `index`.
    func outcome(of index: Int) async -> LoadOutcome {
        let clock = ContinuousClock()
        let start = clock.now
        let result: Result<LoadedPicture, ImageError>
        do throws(ImageError) {
            let loaded = try await loader.load(sources[index], at: index)
            let written = try await write(loaded.image, index)
            result = .success(LoadedPicture(loaded, written))
        } catch {
            result = .failure(error)
        }
        return LoadOutcome(index: index, result: result, duration: clock.now - start)
    }

    /// Writes `image`, from the source at `index`, in the requested format or a suitable one.
    func write(_ image: Image, _ index: Int) async throws(ImageError) -> WrittenFile? {
        guard let destination else { return nil }
        // Only PNG preserves everything in any image.
        let suitable: ImageFormat = image.animation != nil || image.bitmap.hasAlpha ? .png : .jpeg
        let format = format ?? destination.namedFormat ?? suitable
        return try await executor.write {
            let data = try loader.manager.coders.encode(image, as: format, context: loader.context)
            try destination.write(data, for: index, format)
            return WrittenFile(
                path: destination.path(for: index, format), byteCount: data.count,
                byteLimit: loader.context.maxEncodedByteCount)
        }
    }
}

/// A written file. Standard output has no path.
struct WrittenFile: Sendable {
    let path: String?
    let byteCount: Int
    /// The requested maximum size in bytes.
    var byteLimit: Int?

    /// Remarks about the written file.
    fileprivate var notes: [String] {
        guard let byteLimit, byteCount > byteLimit else { return [] }
        return ["it cannot be encoded in \(byteLimit) bytes, and has \(byteCount)"]
    }
}

extension WorkExecutor {
    /// Runs `body`, which writes files.
    func write<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws(ImageError) -> Result {
        do {
            return try await run(body)
        } catch {
            throw error as? ImageError ?? ImageError(.internal, .encode, "\(error)", underlying: error)
        }
    }
}

extension LoadedPicture {
    fileprivate init(_ result: LoadResult, _ written: WrittenFile?) {
        key = result.key
        format = result.image.info.format
        size = result.image.size
        frameCount = result.image.animation?.frameCount ?? 1
        origin = result.origin
        byteCount = written?.byteCount ?? result.encodedData?.count
        output = written?.path
        notes = result.image.metadata.notes + (written?.notes ?? [])
        report = result.report
    }
}
