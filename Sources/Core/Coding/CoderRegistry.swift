public import DarkroomPlatform

/// The coders of a pipeline. The last registered coder that accepts the data decodes it; those whose formats have no
/// signature are asked after all others.
public struct CoderRegistry: Sendable {
    /// The coders in order of registration.
    public private(set) var coders: [any ImageCoder] = [] {
        didSet { updateHosted() }
    }

    /// The other processes in which the coders work; `nil`, the default, if they work in this one.
    package var host: (any CoderHost)? {
        didSet { updateHosted() }
    }

    /// The coders that work in the processes of `host`, in order of registration.
    private var hosted: [any ImageCoder] = []

    /// The converter of colours to sRGB; `nil` leaves them unconverted.
    public var colorConverter: (any ColorConverter)?

    /// The metric with which the quality for ``ImageContext/visualTarget`` is found; `nil` makes that an error.
    public var comparator: (any ImageComparator)?

    /// The coder used for all data, if set.
    private var onlyCoder: (any ImageCoder)?

    /// Creates a registry of `coders`.
    public init(_ coders: [any ImageCoder] = []) { self.coders = coders }

    /// Adds `coder`, which takes precedence over those already registered.
    public mutating func register(_ coder: any ImageCoder) { coders.append(coder) }

    /// Removes the coders for which `condition` returns true.
    public mutating func remove(where condition: (any ImageCoder) -> Bool) { coders.removeAll(where: condition) }

    /// Returns the coder for `data`. The error of kind `noCoder` names the format if it is known.
    public func coder(for data: Data) throws(ImageError) -> any ImageCoder {
        if let onlyCoder { return onlyCoder }
        if let coder = try host?.coder(for: data, among: hosted) ?? acceptingCoder(for: data) { return coder }
        guard !data.isEmpty else { throw ImageError(.corrupt, .decode, "there are no bytes to decode") }
        let format = ImageFormat.sniff(data)?.description ?? "this format"
        throw ImageError(.noCoder, .decode, "no coder for \(format) is installed")
    }

    /// Returns the coder for `data`. If another process must be asked, a thread of `executor` waits for it.
    func coder(for data: Data, on executor: WorkExecutor, urgency: Urgency) async throws -> any ImageCoder {
        guard let host, onlyCoder == nil, !host.recognizes(data, among: hosted) else { return try coder(for: data) }
        return try await executor.run(urgency: urgency) { try coder(for: data) }
    }

    /// Returns the coder of this process that accepts `data`; `nil` if none does, or the coders work elsewhere.
    private func acceptingCoder(for data: Data) -> (any ImageCoder)? {
        guard host == nil else { return nil }
        // Without a signature, a coder can only guess, so it must not take files from one that recognizes them.
        for hasSignature in [true, false] {
            let coder = coders.last { $0.hasSignature == hasSignature && $0.canDecode(data) }
            if let coder { return coder }
        }
        return nil
    }

    /// Returns the coder that encodes `format`; `nil` if there is none.
    public func encoder(for format: ImageFormat) -> (any EncodingImageCoder)? {
        for case let coder as any EncodingImageCoder in workingCoders.reversed()
        where coder.encodableFormats.contains(format) {
            return coder
        }
        return nil
    }

    /// Returns this registry with `coder` for all data, whose `canDecode` check is skipped.
    func only(_ coder: any ImageCoder) -> CoderRegistry {
        var registry = self
        // A coder of this registry works elsewhere already.
        let isHosted = coder is any FinishingCoder
        registry.onlyCoder = isHosted ? coder : host?.hosted([coder]).first ?? coder
        return registry
    }

    /// The coders, each of which works where it should.
    private var workingCoders: [any ImageCoder] { host == nil ? coders : hosted }

    private mutating func updateHosted() { hosted = host?.hosted(coders) ?? [] }

    /// Throws an error if the coders cannot work in the processes of `host`.
    func validate() throws(ImageError) { try host?.validate(hosted) }

    /// Returns the header of `data`, read within `limits`. The image itself is not checked against them.
    public func info(
        of data: Data, limits: DecodeLimits = .default, cancellation: CancellationFlag? = nil
    ) throws(ImageError) -> ImageInfo {
        let coder = try coder(for: data)
        return try ImageError.wrap(.decode) {
            try coder.info(of: InfoRequest(data: data, limits: limits, cancellation: cancellation))
        }
    }

    /// Decodes `data` at the size that `context` requests, upright. No transformer is applied.
    ///
    /// The time is measured by `clock`, or by a new clock. It blocks its thread, so call it on a thread of your own.
    public func decode(
        _ data: Data, context: ImageContext = .init(), cancellation: CancellationFlag? = nil, clock: WorkClock? = nil
    ) throws(ImageError) -> Image {
        let clock = clock ?? WorkClock(limit: context.limits.workTime)
        var source = InfoRequest(data: data, limits: context.limits, cancellation: cancellation, clock: clock)
        source.nextDecode = (context, .max)
        return try ImageError.wrap(.decode) {
            try clock.run { try Decoding(source, coders: self, context: context).image().scaled(context.scale) }
        }
    }

    /// Encodes `image` as a file of `format`.
    ///
    /// A format of `nil` selects that of the original if it can be encoded, otherwise PNG for images with alpha or
    /// frames, and JPEG for others. With the options of `context`, only the first frame is encoded, or at most
    /// `encodedSizeLimit` pixels, in at most `encodedByteLimit` bytes. The time is measured by `clock`, such as that of the
    /// preceding decode, or by a new clock. It blocks its thread, so call it on a thread of your own.
    ///
    /// - Throws: An error of kind `unsupported` if the format cannot represent the image, or an option is out of range.
    public func encode(
        _ image: Image, as format: ImageFormat? = nil, context: ImageContext = .init(),
        cancellation: CancellationFlag? = nil, clock: WorkClock? = nil
    ) throws(ImageError) -> Data {
        try file(of: image, as: format, context: context, cancellation: cancellation, clock: clock).data
    }

    /// Returns the file of `encode`, and the quality that was chosen if the context has a visual target.
    func file(
        of image: Image, as format: ImageFormat?, context: ImageContext, cancellation: CancellationFlag?,
        clock: WorkClock?
    ) throws(ImageError) -> (data: Data, quality: ChosenQuality?) {
        let format = format ?? self.format(for: image)
        guard let encoder = encoder(for: format) else {
            throw ImageError(.unsupported, .encode, "no installed coder writes \(format)")
        }
        let clock = clock ?? WorkClock(limit: context.limits.workTime)
        let request = EncodeRequest(
            image: image, format: format, context: context, colorConverter: colorConverter,
            cancellation: cancellation, clock: clock)
        return try ImageError.wrap(.encode) {
            try request.check(encoder.ranges(of: format))
            return try clock.run {
                func encoded() throws -> (data: Data, quality: ChosenQuality?) {
                    try self.file(for: request.reduced(), by: encoder, cancellation: cancellation, clock: clock)
                }
                let file = try image.animation == nil ? encoded() : clock.includingFrames(encoded)
                try request.check(outputByteCount: file.data.count)
                return file
            }
        }
    }

    private func file(
        for request: EncodeRequest, by encoder: any EncodingImageCoder, cancellation: CancellationFlag?,
        clock: WorkClock
    ) throws -> (data: Data, quality: ChosenQuality?) {
        guard let target = request.context.visualTarget else { return (try request.file(by: encoder), nil) }
        return try VisualEncoding(
            request: request, target: target, encoder: encoder, coders: self, cancellation: cancellation, clock: clock
        ).file()
    }

    /// Returns the format of the source of `image` if an installed coder encodes it; otherwise PNG for images with alpha
    /// or frames, and JPEG for all others.
    func format(for image: Image) -> ImageFormat {
        if encoder(for: image.info.format) != nil { return image.info.format }
        return image.hasAlphaOrFrames ? .png : .jpeg
    }
}

extension ImageCoder {
    /// Whether any of the formats has a signature.
    fileprivate var hasSignature: Bool { formats.contains { !$0.signatures.isEmpty } }
}

extension Image {
    /// Whether the image has alpha or frames, neither of which JPEG can store.
    var hasAlphaOrFrames: Bool { bitmap.hasAlpha || animation != nil }
}
