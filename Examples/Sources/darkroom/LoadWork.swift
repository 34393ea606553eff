import Darkroom

/// What came of one source.
struct LoadOutcome: Sendable {
    let index: Int
    let result: Result<LoadedPicture, ImageError>
    let duration: Duration
}

/// What is told about a picture; its pixels are gone by then.
struct LoadedPicture: Sendable {
    let key: CacheKey?
    let format: ImageFormat
    let size: PixelSize
    let frameCount: Int
    let origin: LoadResult.Origin
    /// Of the file that was written, else of the file that was read; `nil` when no file was at hand.
    let byteCount: Int?
    let output: String?
}

/// Loads sources, and writes what comes of them.
struct LoadWork: Sendable {
    let sources: [Source]
    let manager: ImageManager
    let context: ImageContext
    let destination: Destination?
    let format: ImageFormat?
    let progress: ProgressBar?
    private let executor = WorkExecutor(name: "output", width: 2)

    init(
        sources: [Source], manager: ImageManager, context: ImageContext, destination: Destination?,
        format: ImageFormat?, progress: ProgressBar?
    ) {
        self.sources = sources
        self.manager = manager
        self.context = context
        self.destination = destination
        self.format = format
        self.progress = progress
    }

    /// Loads and writes the source at `index`.
    func outcome(of index: Int) async -> LoadOutcome {
        let clock = ContinuousClock()
        let start = clock.now
        let result: Result<LoadedPicture, ImageError>
        do throws(ImageError) {
            let loaded = try await load(index)
            let written = try await write(loaded.image, index)
            result = .success(LoadedPicture(loaded, written))
        } catch {
            result = .failure(error)
        }
        return LoadOutcome(index: index, result: result, duration: clock.now - start)
    }

    private func load(_ index: Int) async throws(ImageError) -> LoadResult {
        let url = try sources[index].validURL
        guard let progress else { return try await manager.load(url, context: context) }
        do {
            for try await event in manager.events(for: url, context: context) {
                switch event {
                case .progress(let received, let expected):
                    progress.update(index, received: received, expected: expected)
                case .finished(let result): return result
                case .started, .preview: break
                }
            }
            throw ImageError.cancelled
        } catch {
            throw error as? ImageError ?? ImageError(.internal, .load, "\(error)", underlying: error)
        }
    }

    private func write(_ image: Image, _ index: Int) async throws(ImageError) -> WrittenFile? {
        guard let destination else { return nil }
        let format = format ?? destination.namedFormat ?? (image.bitmap.hasAlpha ? .png : .jpeg)
        do {
            return try await executor.run { [manager, context] in
                let data = try manager.coders.encode(image, as: format, context: context)
                try destination.write(data, for: index, format)
                return WrittenFile(path: destination.path(for: index, format), byteCount: data.count)
            }
        } catch {
            throw error as? ImageError ?? ImageError(.internal, .encode, "\(error)", underlying: error)
        }
    }
}

/// A file that was written; standard output has no path.
private struct WrittenFile: Sendable {
    let path: String?
    let byteCount: Int
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
    }
}
