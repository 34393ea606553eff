import Console
import Darkroom

/// Loads sources with a manager, and shows their progress.
struct SourceLoader: Sendable {
    let manager: ImageManager
    let context: ImageContext
    /// The progress bar; `nil` when none is shown.
    let progress: ProgressBar?

    /// Loads the source at `index` of the progress bar.
    func load(_ source: Source, at index: Int = 0) async throws(ImageError) -> LoadResult {
        let url = try source.validURL
        guard let progress else { return try await manager.load(url, context: context) }
        for try await event in manager.events(for: url, context: context) {
            switch event {
            case .progress(let received, let expected):
                progress.update(index, received: received, expected: expected)
            case .finished(let result): return result
            default: break
            }
        }
        throw .cancelled
    }

    /// Loads the source at `index` of the progress bar as a file of `format`.
    func loadEncoded(
        _ source: Source, at index: Int, as format: EncodedFormat
    ) async throws(ImageError) -> EncodedResult {
        let url = try source.validURL
        var context = context
        context.encodedFormat = format
        return try await manager.encoded(url, context: context) { [progress] event in
            guard case .progress(let received, let expected) = event else { return }
            progress?.update(index, received: received, expected: expected)
        }
    }

    /// Loads the only source of the progress bar, and hides the bar.
    func loadImage(_ source: Source) async throws(ImageError) -> Image {
        defer { progress?.finish(0) {} }
        return try await load(source).image
    }
}
