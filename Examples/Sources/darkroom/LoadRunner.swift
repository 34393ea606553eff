import Console
import Darkroom

/// The outcome of one source.
struct LoadOutcome: Sendable {
    let index: Int
    let result: Result<LoadedImage, ImageError>
    let duration: Duration
}

/// The reported properties of a loaded image, without its pixels.
struct LoadedImage: Sendable {
    let key: CacheKey?
    let format: ImageFormat
    let size: PixelSize
    let frameCount: Int
    let origin: LoadResult.Origin
    /// The size of the written file, or else of the encoded original; `nil` when neither is available.
    let byteCount: Int?
    /// The size of the local source, or of what was received; `nil` if neither is known.
    let sourceByteCount: Int?
    let output: String?
    /// Problems that did not prevent the load, one sentence each.
    let notes: [String]
    /// The report of the load.
    let report: LoadReport
}

/// Loads sources, and writes the results.
struct LoadRunner: Sendable {
    let sources: [Source]
    let loader: SourceLoader
    let destination: Destination?
    let inputs: InputFiles
    /// Whether transparent pixels become white, which is noted.
    let blendsOverWhite: Bool
    private let executor = WorkExecutor(name: "output", width: 2)

    /// Creates a runner. Without `destination`, nothing is written. The format of the loader's context is used.
    init(
        sources: [Source], loader: SourceLoader, destination: Destination?, inputs: InputFiles,
        blendsOverWhite: Bool = false
    ) {
        self.sources = sources
        self.blendsOverWhite = blendsOverWhite
        self.inputs = inputs
        self.loader = loader
        self.destination = destination
    }

    /// Loads and writes the source at `index`.
    func outcome(of index: Int) async -> LoadOutcome {
        let clock = ContinuousClock()
        let start = clock.now
        let result: Result<LoadedImage, ImageError>
        do throws(ImageError) {
            result = .success(try await image(at: index))
        } catch {
            result = .failure(error)
        }
        return LoadOutcome(index: index, result: result, duration: clock.now - start)
    }

    private func image(at index: Int) async throws(ImageError) -> LoadedImage {
        let source = sources[index]
        guard let destination else { return LoadedImage(try await loader.load(source, at: index), of: source) }
        let alpha = AlphaWatch(loader.context.encodedFormat)
        let result = try await loader.loadEncoded(
            source, at: index, as: blendsOverWhite ? alpha.format : loader.context.encodedFormat)
        let format = result.file.format
        try await executor.write { [inputs] in
            try destination.write(result.data, for: index, as: format, sparing: inputs)
        }
        var notes: [String] = []
        if blendsOverWhite, alpha.isTransparent || result.isCached && result.info?.hasAlpha == true {
            notes.append("transparent pixels became white, because JPEG has none; --background selects another colour")
        }
        return LoadedImage(
            result, of: source, path: destination.path(for: index, as: format),
            byteLimit: loader.context.encodedByteLimit, notes: notes)
    }
}

extension EncodedFormat {
    /// Returns the rule for files: the requested `format`, or that of the destination's name, or that of the source.
    static func written(_ format: ImageFormat?, to destination: Destination?) -> EncodedFormat {
        (format ?? destination?.namedFormat).map { .only($0) } ?? .automatic
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

extension LoadedImage {
    fileprivate init(_ result: LoadResult, of source: Source) {
        key = result.key
        format = result.image.info.format
        size = result.image.size
        frameCount = result.image.animation?.frameCount ?? 1
        origin = result.origin
        byteCount = result.encodedData?.count
        sourceByteCount = source.byteCount(receiving: result.report)
        output = nil
        notes = result.image.metadata.notes
        report = result.report
    }

    /// Creates the properties of a file written to `path`, which should have at most `byteLimit` bytes.
    fileprivate init(_ result: EncodedResult, of source: Source, path: String?, byteLimit: Int?, notes others: [String])
    {
        key = result.key
        format = result.info?.format ?? result.file.format
        size = result.file.size
        frameCount = result.file.frameCount
        origin = result.origin
        byteCount = result.data.count
        sourceByteCount = source.byteCount(receiving: result.report)
        output = path
        let isTooLarge = byteLimit.map { result.data.count > $0 } ?? false
        notes =
            result.file.notes + others
            + (isTooLarge
                ? [
                    "the file has \(result.data.count) bytes, more than the limit of \(byteLimit ?? 0) set by --max-bytes"
                ] : [])
        report = result.report
    }
}

extension Source {
    /// The number of bytes of the local file, or of what was received in the load with this `report`; `nil` if neither is
    /// known.
    fileprivate func byteCount(receiving report: LoadReport) -> Int? {
        byteCount ?? (report.receivedByteCount > 0 ? report.receivedByteCount : nil)
    }
}
