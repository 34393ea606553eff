import DarkroomPlatform

/// How a run ended, for all callers that share it.
///
/// It is a class to keep the frame of a waiting caller small.
final class RunEnd<Value: Sendable>: Sendable {
    /// The URL that was loaded. A key filter may give other URLs the same key.
    let url: URL
    let result: Result<Value, ImageError>
    /// The version of the original that the value was made from.
    let version: OriginalVersion?

    init(_ result: Result<Value, ImageError>, of url: URL, version: OriginalVersion? = nil) {
        self.url = url
        self.result = result
        self.version = version
    }

    /// Creates the end of a run for `url` that has done `work`.
    init(of url: URL, version: (Value) -> OriginalVersion? = { _ in nil }, work: () async throws -> Value) async {
        self.url = url
        do {
            let value = try await work()
            result = .success(value)
            self.version = version(value)
        } catch {
            result = .failure(ImageError(error, in: .load))
            self.version = nil
        }
    }
}

/// The end of a run, as one caller receives it.
struct CallEnd<Value: Sendable>: Sendable {
    let run: RunEnd<Value>
    /// Whether the caller joined the run of another one.
    let isJoined: Bool

    /// Returns whether the end says something about the request of `rules`. Neither does an image that came by a route
    /// which that must not use, nor the failure of another URL.
    func answers(_ rules: CacheRules) -> Bool {
        guard isJoined else { return true }
        return switch run.result {
        case .success: rules.permits(run.version)
        case .failure: run.url == rules.request.url
        }
    }
}

extension CallEnd<LoadResult> {
    /// Returns the result for the caller of `request`: with its URL, and at its scale. An app that holds it does not hold what
    /// only the making of a file needs.
    func result(for request: Request, isForFile: Bool = false) -> Result<LoadResult, ImageError> {
        run.result.map { result in
            var result = result
            result.url = request.url
            if !isForFile { (result.original, result.reservations) = (nil, []) }
            result.report.isJoined = isJoined
            result.image = result.image.scaled(request.context.scale)
            return result
        }
    }
}
