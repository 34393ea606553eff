import DarkroomPlatform

/// Encodes the images of one request as entries of a data cache: by the serializer, or else in the format for results.
struct EntryEncoder: Sendable {
    private let url: URL
    private let serializer: (any CacheSerializer)?
    private let coders: CoderRegistry
    /// The format for results; `nil` if there is none, or no installed coder encodes it.
    private let format: ImageFormat?
    private let context: ImageContext

    init(_ rules: CacheRules) {
        let coders = rules.manager.components.coders
        url = rules.request.url
        serializer = rules.serializer
        self.coders = coders
        format = rules.manager.components.resultFormat.flatMap { coders.encoder(for: $0) == nil ? nil : $0 }
        // Stored results ignore the encoding options of the request.
        context = ImageContext { $0.limits = rules.context.limits }
    }

    /// Whether images without a file may be encoded.
    var canEncode: Bool { serializer != nil || format != nil }

    /// Returns the entry of `image`, encoded in the time that `clock` has left; `nil` if it is not stored on disk.
    ///
    /// `file` is the image as a file, if the caller has one. It is stored unless the serializer returns other bytes.
    func entry(
        of image: Image, file: Data? = nil, cancellation: CancellationFlag? = nil, clock: WorkClock?
    ) throws -> DataEntry? {
        let own = try serializer?.data(for: image, encoded: file, url: url)
        if let data = own ?? file { return DataEntry(data, metadata: .init(of: image)) }
        guard let format else { return nil }
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
