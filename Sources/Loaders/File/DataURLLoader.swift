public import DarkroomCore
public import DarkroomPlatform

/// Loads images embedded in their URL: `data:image/png;base64,…` (RFC 2397).
///
/// The media type is ignored, because formats are detected by signature. Installing the loader also installs a
/// `DataURLKeyFilter`.
public struct DataURLLoader: ImageLoader {
    /// Creates the loader.
    public init() {}

    /// Adds the loader, and the key filter that keeps long data URLs out of cache keys.
    public func install(in components: inout ImageManager.Components) {
        components.loaders.append(self)
        components.keyFilters.append(DataURLKeyFilter())
    }

    /// Returns whether `url` has the scheme `data`.
    public func canLoad(_ url: URL) -> Bool { url.scheme?.equalsIgnoringASCIICase("data") == true }

    /// Returns all bytes at once.
    ///
    /// - Throws: An error of kind `invalidURL`, `corrupt` or `overLimit`.
    public func load(_ request: LoadRequest) async throws -> LoadResponse {
        let byteLimit = request.context.limits.encodedByteCount
        return LoadResponse(.data(try DataURL(request.url.absoluteString).data(byteLimit: byteLimit)))
    }

    /// Returns the same version for all URLs: the content of a data URL never changes.
    public func localVersion(of url: URL) -> LocalVersion? { LocalVersion("data") }

    /// Returns `false`: decoding again is as cheap as remembering the failure, and the list of failures would hold the
    /// whole URL.
    public func remembers(_ error: ImageError) -> Bool { false }
}
