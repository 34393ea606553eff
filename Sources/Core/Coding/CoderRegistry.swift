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

    /// The header of `data`, checked against nothing.
    public func info(of data: Data) throws(ImageError) -> ImageInfo {
        let coder = try coder(for: data)
        return try ImageError.wrap(.decode) { try coder.info(of: data) }
    }

    /// Decodes `data` at the size that `context` asks for, upright; no transformer is applied.
    ///
    /// It blocks its thread for as long as it takes: call it on a thread of your own.
    public func decode(
        _ data: Data, context: ImageContext = .init(), cancellation: CancellationFlag? = nil
    ) throws(ImageError) -> Image {
        try ImageError.wrap(.decode) {
            try Decoding(data, coders: self, context: context, cancellation: cancellation).image().scaled(context.scale)
        }
    }

    /// The bytes of `image` as a file of `format`, or an error of kind `unsupported`.
    ///
    /// `nil` asks for the format the image came in, and where no installed coder writes that for PNG if it has alpha or
    /// frames, else JPEG. `context` says what of the image is written: its first frame only, and no more pixels than
    /// `maxEncodedSize`.
    /// It blocks its thread for as long as it takes: call it on a thread of your own.
    public func encode(
        _ image: Image, as format: ImageFormat? = nil, context: ImageContext = .init(),
        cancellation: CancellationFlag? = nil
    ) throws(ImageError) -> Data {
        let format = format ?? self.format(for: image)
        guard let encoder = encoder(for: format) else {
            throw ImageError(.unsupported, .encode, "no installed coder writes \(format)")
        }
        return try ImageError.wrap(.encode) {
            try encoder.encode(
                EncodeRequest(
                    image: try image.reduced(for: context), format: format, context: context,
                    cancellation: cancellation))
        }
    }

    private func format(for image: Image) -> ImageFormat {
        if encoder(for: image.info.format) != nil { return image.info.format }
        return image.bitmap.hasAlpha || image.animation != nil ? .png : .jpeg
    }
}

extension Image {
    /// What of the image is to be written.
    fileprivate func reduced(for context: ImageContext) throws -> Image {
        let image = context.firstFrameOnly ? Image(info: info, bitmap: bitmap, metadata: metadata) : self
        guard let bound = context.maxEncodedSize else { return image }
        let size = Thumbnail.fit(Double(bound.width), Double(bound.height)).size(for: self.size)
        guard size != self.size else { return image }
        return Image(
            info: info, bitmap: try bitmap.resized(to: size, limits: context.limits),
            animation: image.animation?.map { try $0.resized(to: size, limits: context.limits) }, metadata: metadata)
    }
}
