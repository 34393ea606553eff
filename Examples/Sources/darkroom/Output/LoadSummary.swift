import Darkroom

/// The totals of a command that loads several images.
struct LoadSummary: CustomStringConvertible {
    private var imageCount = 0
    private var failureCount = 0
    private var writtenByteCount: Int?
    /// The number of bytes of the sources of written files; `nil` if that of one is unknown.
    private var sourceByteCount: Int? = 0

    /// Adds the outcome of one source.
    mutating func add(_ outcome: LoadOutcome) {
        switch outcome.result {
        case .failure: failureCount += 1
        case .success(let image):
            imageCount += 1
            guard image.output != nil, let byteCount = image.byteCount else { return }
            writtenByteCount = (writtenByteCount ?? 0) + byteCount
            sourceByteCount = sourceByteCount.flatMap { sum in image.sourceByteCount.map { sum + $0 } }
        }
    }

    /// The totals, such as `12 images, 1 failed, 34.5 MB → 2.1 MB (6 %)`.
    var description: String {
        var words = ["\(imageCount) image\(imageCount == 1 ? "" : "s")"]
        if failureCount > 0 { words.append("\(failureCount) failed") }
        guard let writtenByteCount else { return words.joined(separator: ", ") }
        var bytes = writtenByteCount.asByteCount
        if let sourceByteCount, sourceByteCount > 0 {
            let percent = (100 * writtenByteCount + sourceByteCount / 2) / sourceByteCount
            bytes = "\(sourceByteCount.asByteCount) → \(bytes) (\(percent) %)"
        }
        return (words + [bytes]).joined(separator: ", ")
    }
}
