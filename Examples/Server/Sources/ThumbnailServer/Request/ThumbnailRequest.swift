import Darkroom
import Foundation
import HTTPTypes

/// A parsed request, including everything that its header fields determine.
struct ThumbnailOrder {
    /// The URL of the source.
    let url: URL

    /// The options of the load, including the format of the file.
    let context: ImageContext

    /// The time at which the signature expires.
    let expiry: Date?

    /// The header fields that the response depends on, for `Vary`.
    private(set) var variedFields: [String] = []

    /// The client hints that the options use, for `Accept-CH`.
    private(set) var acceptedHints: [String] = []

    /// Combines `options` with the `suffix` of the source and, where these leave a choice, the fields of `question`.
    init(
        url: URL, _ options: ThumbnailOptions, suffix: ImageFormat?, _ question: Question,
        _ settings: ThumbnailSettings, _ vocabulary: ThumbnailVocabulary
    ) throws {
        self.url = url
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
        var transformers = try vocabulary.transformers(
            options, pixelRatio: ratio, width: options.followsWidth ? hints.width : nil)
        // The manager would separate them for each request.
        let thumbnail = transformers.first?.decodingThumbnail
        if thumbnail != nil { transformers.removeFirst() }
        let isStill = format == .jpeg || options.isStill
        context = ImageContext { [transformers] in
            $0.thumbnail = thumbnail
            $0.transformers = transformers
            $0.firstFrameOnly = isStill
            $0.encodedFormat = .served(format, settings)
            $0.quality = options.quality ?? settings.quality
            $0.background = options.background ?? .white
            $0.limits = settings.limits
            $0.defaultLifetime = settings.lifetime
            $0.defaultStaleWhileRevalidate = settings.staleWhileRevalidate
        }
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
