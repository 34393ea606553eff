public import Darkroom

/// The quality of files in lossy formats.
public enum FileQuality: Equatable, Sendable {
    /// A quality from 0 to 1, as that of `ImageContext`.
    case fixed(Double)
    /// The score that each file should have, by an encode for each attempt.
    case target(VisualQuality)

    /// Parses the percentage `80`, or `auto` with a score, such as `auto:75`, or without. Returns `nil` for any other text.
    public init?(_ text: String) {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        let score = parts.count == 2 ? Double(plainDecimal: parts[1]) : nil
        guard parts.count <= 2, parts.count == 1 || score.map((0...100).contains) == true else { return nil }
        self.init(String(Substring(parts[0])), score: score)
    }

    /// Creates the quality that `text` names, `auto` with `score` from 0 to 100. Returns `nil` for any other text, and for
    /// a percentage with a score.
    init?(_ text: String, score: Double?) {
        if text == "auto" {
            self = .target(score.map { .score($0) } ?? .high)
        } else if score == nil, let percent = Double(plainDecimal: text.utf8), (1...100).contains(percent) {
            self = .fixed(percent / 100)
        } else {
            return nil
        }
    }

    /// The most encodes of a file.
    var longestEncodeCount: Int {
        switch self {
        case .fixed: 1
        // That of `ImageContext.visualTarget`.
        case .target: 4
        }
    }

    /// Sets the quality of encoders.
    func apply(to context: inout ImageContext) {
        switch self {
        case .fixed(let quality): (context.quality, context.visualTarget) = (quality, nil)
        case .target(let target): (context.quality, context.visualTarget) = (nil, target)
        }
    }
}
