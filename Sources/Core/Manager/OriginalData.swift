public import DarkroomPlatform

/// The original of an image as received: the result of ``ImageManager/data(_:context:requiresImage:)``.
public struct OriginalData: Sendable {
    /// The URL of the image, as the processors of the request have rewritten it.
    public var url: URL

    /// The bytes, which may be no valid image, and no image at all.
    public var data: Data

    /// The response of the origin server; `nil` if the loader reported none.
    public var response: ResponseMetadata?

    /// The values of the `Set-Cookie` fields of the response, which are not in `response`. Bytes from a cache have those of
    /// the stored response, as long as that is in memory: of whoever made that request, so neither set them again nor send
    /// them to another user.
    public var setCookies: [String] = []

    /// The time since the origin server has generated or confirmed the response, as in the field `Age` (RFC 9111,
    /// section 4.2.3); `nil` if the loader reported no response.
    public var age: Duration?

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
    /// Creates the data of `original`, loaded from `url` and delivered at `now`.
    init(of original: Original, url: URL, at now: Date) throws(ImageError) {
        guard case .data(let data) = original.body else {
            throw ImageError(.unsupported, .load, "the loader delivers a decoded image and no bytes")
        }
        self.init(
            url: url, data: data, response: original.entry?.metadata.response, version: original.version,
            origin: original.origin, isStale: original.isStale, report: original.report)
        setCookies = original.setCookies
        if let response, let confirmedAt = version?.freshness?.confirmedAt {
            age = .seconds(response.age(confirmedAt: confirmedAt, at: now))
        }
    }
}
