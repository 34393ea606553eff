import Darkroom
import Foundation
import HTTPTypes

/// What one request asks for, with all that its header fields decide.
struct ThumbnailOrder {
    /// What is to be made.
    let job: ThumbnailJob

    /// The request's fields on which the answer depends, for `Vary`.
    private(set) var variedFields: [String] = []

    /// The client hints that the options use, for `Accept-CH`.
    private(set) var acceptedHints: [String] = []

    /// What `options` and the `suffix` of the source ask for, and where they leave it open, `headers`.
    init(
        url: URL, _ options: ThumbnailOptions, suffix: ImageFormat?, headers: HTTPFields, _ settings: ThumbnailSettings,
        _ vocabulary: ThumbnailVocabulary
    ) throws {
        var format = options.format ?? suffix
        if format == nil {
            variedFields.append("Accept")
            format = Self.negotiated(headers[values: .accept].joined(separator: ","))
        }
        let hints = ClientHints(headers)
        if options.followsPixelRatio { acceptedHints.append(ClientHints.pixelRatioName) }
        if options.followsWidth { acceptedHints.append(ClientHints.widthName) }
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
                // What is written is kept, not what it is written from.
                $0.cachePolicy.store = .memory
                $0.cachePolicy.query = .memory
            },
            format: format, quality: options.quality ?? settings.quality, background: options.background ?? .white)
    }

    /// WebP where it is named and no less welcome than what else there is; otherwise the source's format.
    private static func negotiated(_ accept: String) -> ImageFormat? {
        let header = AcceptHeader(accept)
        let others = max(header.quality(of: "image/jpeg"), header.quality(of: "image/png"))
        let named = header.names("image/webp") || header.names("image/*") && !header.names("*/*")
        return named && header.quality(of: "image/webp") >= others ? .webp : nil
    }
}
