#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What a load would do now: `ImageManager.explain`.
public struct LoadPlan: Sendable {
    /// One place that is looked into.
    public struct Step: Sendable {
        /// The place, such as `memory` or `original on disk`.
        public let place: String

        /// What is there, in a few words.
        public let finding: String
    }

    /// The URL after all rewriting.
    public let url: URL

    /// What caches know the picture by; `nil` when a filter keeps it out of them.
    public let key: CacheKey?

    /// The places in the order they are looked into, up to the one that answers.
    public internal(set) var steps: [Step] = []

    /// What the caches decide.
    public internal(set) var decision = CacheDecision.missing

    /// Where the picture would come from, if all goes well; `nil` when it cannot be had.
    public internal(set) var origin: LoadResult.Origin?

    /// Why it cannot be had.
    public internal(set) var failure: ImageError?
}

extension LoadPlan: CustomStringConvertible {
    /// A line for the URL, the key, each step and the outcome.
    public var description: String {
        var lines = ["url: \(url.absoluteString)", "key: \(key?.description ?? "none, it is kept out of all caches")"]
        lines += steps.map { "\($0.place): \($0.finding)" }
        lines.append("decision: \(decision)")
        lines.append("origin: \(origin?.rawValue ?? failure?.description ?? "none")")
        return lines.joined(separator: "\n")
    }
}
