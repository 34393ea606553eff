public import DarkroomCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Loads pictures that are written out in their URL: `data:image/png;base64,…`, RFC 2397.
///
/// The media type decides nothing, for bytes are known by their signature. A `DataURLKeyFilter` is installed with it.
public struct DataURLLoader: ImageLoader {
    /// A loader of data URLs.
    public init() {}

    /// Adds the loader, and the filter that keeps its URLs out of keys.
    public func install(in components: inout ImageManager.Components) {
        components.loaders.append(self)
        components.keyFilters.append(DataURLKeyFilter())
    }

    /// Whether it is a `data:` URL.
    public func canLoad(_ url: URL) -> Bool { url.scheme?.asciiLowercased == "data" }

    /// All bytes at once, or an error of kind `invalidURL`, `corrupt` or `overLimit`.
    public func load(_ request: LoadRequest) async throws -> LoadResponse {
        let byteLimit = request.context.limits.encodedByteCount
        return LoadResponse(.data(try DataURL(request.url.absoluteString).data(byteLimit: byteLimit)))
    }

    /// The same for all: what such a URL says never changes.
    public func localVersion(of url: URL) -> String? { "data" }

    /// Nothing: trying again costs no more than remembering, and the list would hold the whole URL.
    public func remembers(_ error: ImageError) -> Bool { false }
}
