import Darkroom
import Foundation
import HTTPTypes

/// A parsed request, including everything that its header fields determine.
struct ThumbnailOrder {
    /// The work to do.
    let job: ThumbnailJob

    /// The cache key; `nil` when a key filter excludes the image from caching.
    let key: CacheKey?

    /// The time at which the signature expires.
    let expiry: Date?

    /// The header fields that the response depends on, for `Vary`.
    private(set) var variedFields: [String] = []

    /// The client hints that the options use, for `Accept-CH`.
    private(set) var acceptedHints: [String] = []

    /// Combines `options` with the `suffix` of the source and, where these leave a choice, the fields of `question`.
    init(
        url: URL, _ options: ThumbnailOptions, suffix: ImageFormat?, _ question: Question,
        _ settings: ThumbnailSettings, _ vocabulary: ThumbnailVocabulary, _ manager: ImageManager
    ) throws {
        var format = options.format ?? suffix
        if format == nil {
            variedFields.append("Accept")
            format = Self.negotiated(question.accept ?? "").flatMap { settings.formats.contains($0) ? $0 : nil }
        }
        if let format, !settings.formats.contains(format) {
            throw Problem(.badRequest, "this server does not write \(format)")
        }
        let hints = ClientHints(pixelRatio: question.pixelRatio, width: question.width)
        if options.followsPixelRatio { acceptedHints.append(HTTPField.Name.pixelRatioHint.rawName) }
        if options.followsWidth { acceptedHints.append(HTTPField.Name.widthHint.rawName) }
        variedFields += acceptedHints
        let ratio = options.followsPixelRatio ? hints.pixelRatio : options.pixelRatio
        let transformers = try vocabulary.transformers(
            options, pixelRatio: ratio, width: options.followsWidth ? hints.width : nil)
        let frame = format == .jpeg || options.isStill
        job = ThumbnailJob(
            url: url,
            context: ImageContext {
                $0.transformers = transformers
                $0.firstFrameOnly = frame
                // The result is stored, not the image it is encoded from.
                $0.cachePolicy.store = .memory
                $0.cachePolicy.query = .memory
            },
            format: format, formats: settings.formats, quality: options.quality ?? settings.quality,
            background: options.background ?? .white)
        key = job.key(manager)
        expiry = options.expiry
    }

    /// Returns WebP if the client names it and prefers nothing else; otherwise `nil` for the source's format.
    private static func negotiated(_ accept: String) -> ImageFormat? {
        let header = AcceptHeader(accept)
        let others = max(header.quality(of: "image/jpeg"), header.quality(of: "image/png"))
        let named = header.names("image/webp") || header.names("image/*") && !header.names("*/*")
        return named && header.quality(of: "image/webp") >= others ? .webp : nil
    }
}
