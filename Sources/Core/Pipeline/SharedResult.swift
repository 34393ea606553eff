/// The result of a run for all callers that share it. It is a class to keep the frame of a waiting caller small.
final class SharedResult: Sendable {
    /// Whether the caller joined the run of another.
    let isJoined: Bool

    private let result: LoadResult

    /// Creates the result for the caller that started the run.
    convenience init(_ result: LoadResult) { self.init(result, isJoined: false) }

    private init(_ result: LoadResult, isJoined: Bool) {
        self.result = result
        self.isJoined = isJoined
    }

    /// The version of the original that it was made from.
    var version: OriginalVersion? { result.image.metadata.original }

    /// The same, for a caller that joined the run.
    var joined: SharedResult { SharedResult(result, isJoined: true) }

    /// Returns the result for the caller of `request`: with its URL, and at its scale.
    @inline(never)
    func value(for request: Request) -> LoadResult {
        var result = result
        result.url = request.url
        result.report.isJoined = isJoined
        result.image = result.image.scaled(request.context.scale)
        return result
    }
}
