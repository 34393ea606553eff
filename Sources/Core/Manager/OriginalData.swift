#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The original of an image as received: the result of ``ImageManager/data(_:context:)``.
public struct OriginalData: Sendable {
    /// The URL of the image, as the processors of the request have rewritten it.
    public var url: URL

    /// The bytes, which may not be a valid image.
    public var data: Data

    /// The response of the origin server; `nil` if the loader reported none.
    public var response: ResponseMetadata?

    /// The version of the bytes, with their freshness; `nil` if the loader reported none.
    public var version: OriginalVersion?

    /// The source of the bytes.
    public var origin: LoadResult.Origin

    /// Whether the bytes are stale, as ``LoadResult/isStale``.
    public var isStale = false

    /// The report of the load.
    public var report: LoadReport
}

extension OriginalData {
    /// Creates the data of `original`, loaded from `url`.
    init(of original: Original, url: URL) throws(ImageError) {
        guard case .data(let data) = original.body else {
            throw ImageError(.unsupported, .load, "the loader delivers a decoded image and no bytes")
        }
        self.init(
            url: url, data: data, response: original.entry?.metadata.response, version: original.version,
            origin: original.origin, isStale: original.isStale, report: original.report)
    }
}
