public import DarkroomPlatform

/// The prediction of what a load would do now, as ``ImageManager/explain(_:context:)`` returns it.
public struct LoadPlan: Sendable {
    /// One lookup.
    public struct Step: Sendable {
        /// The name of the location, such as `memory` or `original on disk`.
        public let location: String

        /// A short description of what was found there.
        public let finding: String
    }

    /// The URL after the request processors.
    public let url: URL

    /// The cache key; `nil` if a key filter excludes the image from all caches.
    public let key: CacheKey?

    /// The lookups in order, up to the one that ends the load.
    public internal(set) var steps: [Step] = []

    /// The decision on the cached entries.
    public internal(set) var decision = CacheDecision.missing

    /// The source of the image, if all goes well; `nil` if the load would fail.
    public internal(set) var origin: LoadResult.Origin?

    /// The error with which the load would fail.
    public internal(set) var failure: ImageError?
}

extension LoadPlan: CustomStringConvertible {
    /// One line each for the URL, the key, the steps and the outcome.
    public var description: String {
        var lines = [
            "url: \(url.absoluteString)", "key: \(key?.description ?? "none, it is excluded from all caches")",
        ]
        lines += steps.map { "\($0.location): \($0.finding)" }
        lines.append("decision: \(decision)")
        lines.append("origin: \(origin?.rawValue ?? failure?.description ?? "none")")
        return lines.joined(separator: "\n")
    }
}
