#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The coders of a pipeline, a value. The coder registered last is asked first.
public struct CoderRegistry: Sendable {
    /// The coders in the order they were registered.
    public private(set) var coders: [any ImageCoder] = []

    /// What converts colours to sRGB; `nil` passes them on as they are.
    public var colorConverter: (any ColorConverter)?

    /// The coder that is taken for all bytes.
    private var onlyCoder: (any ImageCoder)?

    /// A registry of `coders`.
    public init(_ coders: [any ImageCoder] = []) { self.coders = coders }

    /// Adds `coder`, which is asked before all others from now on.
    public mutating func register(_ coder: any ImageCoder) { coders.append(coder) }

    /// Removes the coders for which `condition` holds.
    public mutating func remove(where condition: (any ImageCoder) -> Bool) { coders.removeAll(where: condition) }

    /// The coder for `data`; an error of kind `noCoder` names the format if it can.
    public func coder(for data: Data) throws(ImageError) -> any ImageCoder {
        if let onlyCoder { return onlyCoder }
        if let coder = coders.last(where: { $0.canDecode(data) }) { return coder }
        guard !data.isEmpty else { throw ImageError(.corrupt, .decode, "there are no bytes to decode") }
        let format = ImageFormat.sniff(data)?.description ?? "this format"
        throw ImageError(.noCoder, .decode, "no coder for \(format) is installed")
    }

    /// The coder that writes `format`; `nil` when there is none.
    public func encoder(for format: ImageFormat) -> (any EncodingImageCoder)? {
        for case let coder as any EncodingImageCoder in coders.reversed()
        where coder.encodableFormats.contains(format) {
            return coder
        }
        return nil
    }

    /// This registry, in which `coder` decodes everything, without being asked whether it can.
    func only(_ coder: any ImageCoder) -> CoderRegistry {
        var registry = self
        registry.onlyCoder = coder
        return registry
    }

    /// The header of `data`, read within `limits`. What it says of the picture is not checked against them.
    public func info(
        of data: Data, limits: DecodeLimits = .default, cancellation: CancellationFlag? = nil
    ) throws(ImageError) -> ImageInfo {
        let coder = try coder(for: data)
        return try ImageError.wrap(.decode) {
            try coder.info(of: InfoRequest(data: data, limits: limits, cancellation: cancellation))
        }
    }

    /// Decodes `data` at the size that `context` asks for, upright; no transformer is applied.
    ///
    /// Its time counts by `clock`, or by a clock of its own.
    /// It blocks its thread for as long as it takes: call it on a thread of your own.
    public func decode(
        _ data: Data, context: ImageContext = .init(), cancellation: CancellationFlag? = nil, clock: WorkClock? = nil
    ) throws(ImageError) -> Image {
        let clock = clock ?? WorkClock(limit: context.limits.workSeconds)
        return try ImageError.wrap(.decode) {
            try clock.run {
                try Decoding(data, coders: self, context: context, cancellation: cancellation, clock: clock)
                    .image().scaled(context.scale)
            }
        }
    }

    /// The bytes of `image` as a file of `format`, or an error of kind `unsupported`.
    ///
    /// `nil` asks for the format the image came in, and where no installed coder writes that for PNG if it has alpha or
    /// frames, else JPEG. `context` says what of the image is written: its first frame only, and no more pixels than
    /// `maxEncodedSize`.
    /// Its time counts by `clock`, such as that of the decode before, or by a clock of its own.
    /// It blocks its thread for as long as it takes: call it on a thread of your own.
    public func encode(
        _ image: Image, as format: ImageFormat? = nil, context: ImageContext = .init(),
        cancellation: CancellationFlag? = nil, clock: WorkClock? = nil
    ) throws(ImageError) -> Data {
        let format = format ?? self.format(for: image)
        guard let encoder = encoder(for: format) else {
            throw ImageError(.unsupported, .encode, "no installed coder writes \(format)")
        }
        let clock = clock ?? WorkClock(limit: context.limits.workSeconds)
        let request = EncodeRequest(
            image: image, format: format, context: context, cancellation: cancellation, clock: clock)
        return try ImageError.wrap(.encode) {
            try clock.run {
                let data = try encoder.encode(try request.reduced())
                try request.check(outputByteCount: data.count)
                return data
            }
        }
    }

    private func format(for image: Image) -> ImageFormat {
        if encoder(for: image.info.format) != nil { return image.info.format }
        return image.bitmap.hasAlpha || image.animation != nil ? .png : .jpeg
    }
}
