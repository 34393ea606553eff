import DarkroomPlatform

/// Encodes the images of one request as entries of a data cache: by the serializer, or else in the format for results.
struct EntryEncoder: Sendable {
    private let url: URL
    private let serializer: (any CacheSerializer)?
    private let coders: CoderRegistry
    /// The rule for the format; `nil` if results are not encoded.
    private let rule: EncodedFormat?
    private let context: ImageContext

    init(_ rules: CacheRules) {
        url = rules.request.url
        serializer = rules.serializer
        coders = rules.manager.components.coders
        let rule = rules.manager.components.resultFormat
        self.rule = rules.request.isVariant ? rule : rule?.forOriginals
        // Stored results ignore the encoding options of the request.
        context = ImageContext { $0.limits = rules.context.limits }
    }

    /// Returns whether `image`, without a file, may be encoded.
    func canEncode(_ image: Image) -> Bool { serializer != nil || encodableFormat(of: image) != nil }

    /// Returns the format of `image` by the rule; `nil` if there is no rule, or it fails.
    func format(of image: Image) -> ImageFormat? { rule.flatMap { try? $0.format(for: image, coders: coders) } }

    private func encodableFormat(of image: Image) -> ImageFormat? {
        format(of: image).flatMap { coders.encoder(for: $0) == nil ? nil : $0 }
    }

    /// Returns the entry of `image`, encoded in the time that `clock` has left; `nil` if it is not stored on disk.
    ///
    /// `file` is the image as a file, if the caller has one. It is stored unless the serializer returns other bytes.
    func entry(
        of image: Image, file: Data? = nil, cancellation: CancellationFlag? = nil, clock: WorkClock?
    ) throws -> DataEntry? {
        let own = try serializer?.data(for: image, encoded: file, url: url)
        if let data = own ?? file { return DataEntry(data, metadata: .init(of: image)) }
        guard let format = encodableFormat(of: image) else { return nil }
        var context = context
        context.quality = DefaultQuality.stored(at: image.size)
        let data = try coders.encode(image, as: format, context: context, cancellation: cancellation, clock: clock)
        return DataEntry(data, metadata: .init(of: image))
    }
}

extension DataEntry.Metadata {
    /// Creates the metadata to store with `image`, a finished result.
    fileprivate init(of image: Image) {
        self.init()
        info = image.info
        original = image.metadata.original
        extendedData = image.metadata.extendedData
    }
}
