import Darkroom
import HTTPTypes
import ServerPlatform

/// Parses requests for thumbnails, and refuses those that the settings do not allow.
struct ThumbnailRequestParser: Sendable {
    private let settings: ThumbnailSettings
    private let manager: ImageManager
    private let optionParser: OptionParser
    /// The values that are the same for all requests.
    private let common: ImageContext

    /// Creates a parser of requests to `manager`, and validates the presets and watermarks of `settings`.
    init(_ settings: ThumbnailSettings, manager: ImageManager) throws {
        self.settings = settings
        self.manager = manager
        optionParser = try OptionParser(settings, coders: manager.coders)
        common = ImageContext {
            $0.limits = settings.limits
            $0.servesSeveralUsers = true
            $0.defaultLifetime = settings.lifetime
            // Clients keep the image for longer than that anyway.
            $0.localCheckInterval = min(.seconds(1), settings.lifetime)
            $0.defaultStaleWhileRevalidate = settings.staleWhileRevalidate
        }
    }

    /// Returns the request with this key.
    func request(for key: RequestKey) throws -> ThumbnailRequest {
        let mount = settings.mountPath.utf8
        // The router accepts more than one spelling of the mount path.
        guard key.target.utf8.starts(with: mount) else { throw Problem(.notFound, "the path serves no images") }
        let path = try ThumbnailPath(Substring(key.target.utf8.dropFirst(mount.count)))
        try authorize(path)
        let source = try SourceComponent(path.source)
        var options = try optionParser.options(in: path.options)
        options.format = options.format ?? source.format
        // Before anything else is said about the source.
        if let expiry = options.expiry { try ThumbnailRequest.checkExpiry(expiry) }
        let url = try settings.sources.url(for: source.url)
        return try request(url: url, source: source.url, options: options, key: key)
    }

    private func authorize(_ path: ThumbnailPath) throws(Problem) {
        if settings.allowsInsecure, path.signature.utf8.elementsEqual("insecure".utf8) { return }
        guard settings.signer?.accepts(path.signature, of: path.signedText) == true else {
            throw Problem(.forbidden, "the signature does not match the path")
        }
    }

    /// Combines `options` with the header fields of `key`, which decide what the options leave open.
    private func request(
        url: URL, source: String, options: ThumbnailOptions, key: RequestKey
    ) throws -> ThumbnailRequest {
        let format = try outputFormat(options, accept: key.accept ?? "")
        let hints = ClientHints(pixelRatio: key.pixelRatio, width: key.width)
        var acceptedHints: [String] = []
        if options.followsPixelRatio { acceptedHints.append(HTTPField.Name.pixelRatioHint.rawName) }
        if options.followsWidth { acceptedHints.append(HTTPField.Name.widthHint.rawName) }
        let transformers = try optionParser.transformers(
            for: options, pixelRatio: options.followsPixelRatio ? hints.pixelRatio : options.pixelRatio,
            width: options.followsWidth ? hints.width : nil)
        let context = context(options, format: format, transformers: transformers)
        return ThumbnailRequest(
            image: manager.prepare(url, context: context), source: source, expiry: options.expiry,
            variedFields: (options.format == nil ? ["Accept"] : []) + acceptedHints, acceptedHints: acceptedHints)
    }

    /// Returns the requested format, or the negotiated one.
    private func outputFormat(_ options: ThumbnailOptions, accept: String) throws(Problem) -> OutputFormat {
        guard let format = options.format else {
            return .negotiated(AcceptHeader(accept).compactFormats(among: settings.formats))
        }
        guard settings.formats.contains(format) else {
            throw Problem(.badRequest, "this server does not write \(format)")
        }
        return .fixed(format)
    }

    private func context(
        _ options: ThumbnailOptions, format: OutputFormat, transformers: [any ImageTransformer]
    ) -> ImageContext {
        // The manager would separate the thumbnail from the other transformers for each request.
        let thumbnail = transformers.first?.decodingThumbnail
        var context = common
        context.thumbnail = thumbnail
        context.transformers = thumbnail == nil ? transformers : Array(transformers.dropFirst())
        context.usesFirstFrameOnly = format.isStill || options.isStill
        let quality = options.quality ?? settings.quality
        context.encodedFormat = .served(format, settings: settings, encodeCount: quality.longestEncodeCount)
        quality.apply(to: &context)
        options.palette?.apply(to: &context)
        context.background = options.background ?? .white
        options.encoding.apply(to: &context)
        return context
    }
}
