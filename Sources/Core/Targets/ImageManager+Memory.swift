#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension ImageManager {
    /// What a load of `url` would answer without suspending, if it would. Observers hear of it as of any load.
    func answerFromMemory(to url: URL, _ context: ImageContext) -> LoadResult? {
        let start = ContinuousClock.now
        let request = Request(url, context, components)
        guard let key = request.key, let image = freshImage(for: key, request) else { return nil }
        let result = LoadResult(
            image: image.scaled(request.context.scale), key: key, origin: .memory,
            report: LoadReport(decision: decision(of: image.metadata.original, request)))
        let record = LoadRecord(
            url: request.url, context: request.context, start: start, duration: .now - start, result: .success(result))
        for observer in components.observers { observer.loadEnded(record) }
        return result
    }
}
