public import DarkroomCore
public import DarkroomPlatform

extension ImageFormat {
    /// A format for tests: the text `plain!`, width and height as two bytes each, an alpha flag, then RGBA8 pixels.
    public static let plain = ImageFormat(
        identifier: "darkroom.plain", mimeType: "image/x-plain", fileExtension: "plain", signatures: ["plain!"])
}

extension EncodedFormat {
    /// The rule that always selects the format for tests.
    public static let plain = EncodedFormat.only(.plain)
}

/// A coder for tests, with predictable pixels. It is also a minimal example of a coder that encodes and makes previews.
public struct PlainCoder: EncodingImageCoder, ProgressiveImageCoder {
    fileprivate static let headerByteCount = 11

    /// Called before each decode, on the thread that decodes.
    private let willDecode: @Sendable (DecodeRequest) throws -> Void

    /// Creates a coder that calls `willDecode` before each decode.
    public init(willDecode: @escaping @Sendable (DecodeRequest) throws -> Void = { _ in }) {
        self.willDecode = willDecode
    }

    /// The format `plain` only.
    public var formats: [ImageFormat] { [.plain] }

    /// Reads the size and the alpha flag.
    public func info(of request: InfoRequest) throws -> ImageInfo {
        let bytes = [UInt8](request.data.prefix(Self.headerByteCount))
        guard ImageFormat.plain.matches(bytes) || bytes.count < 6 else {
            throw ImageError(.corrupt, .decode, "the file does not start with the signature of plain files")
        }
        guard bytes.count == Self.headerByteCount else {
            throw ImageError(.incomplete, .decode, "the header is truncated")
        }
        var info = ImageInfo(
            format: .plain,
            storedSize: PixelSize(Int(bytes[6]) << 8 | Int(bytes[7]), Int(bytes[8]) << 8 | Int(bytes[9])))
        info.hasAlpha = bytes[10] != 0
        return info
    }

    /// Copies the pixels.
    public func decode(_ request: DecodeRequest) throws -> Bitmap {
        try willDecode(request)
        let pixels = request.data.dropFirst(Self.headerByteCount)
        return try Bitmap(request.info.storedSize, hasAlpha: request.info.hasAlpha, limits: request.context.limits) {
            guard pixels.count >= $0.count else { throw ImageError(.incomplete, .decode, "pixels are missing") }
            let rowByteCount = request.info.storedSize.width * 4
            for index in $0.indices {
                if index % rowByteCount == 0 { try request.checkCancellation() }
                $0[index] = pixels[pixels.startIndex + index]
            }
        }
    }

    /// Returns a preview decoder that delivers complete rows.
    public func makePreviewDecoder(_ request: DecodeRequest) throws -> any PreviewDecoder {
        PlainPreviewDecoder(request: request)
    }

    /// Encodes a still image.
    public func encode(_ request: EncodeRequest) throws -> Data {
        try request.checkCancellation()
        return try Self.file(of: request.still())
    }

    /// Returns a file of `bitmap`, both of whose sides must be below 65,536.
    public static func file(of bitmap: Bitmap) -> Data {
        let (width, height) = (bitmap.size.width, bitmap.size.height)
        var data = Data("plain!".utf8)
        data.append(contentsOf: [width >> 8, width, height >> 8, height].map { UInt8(truncatingIfNeeded: $0) })
        data.append(bitmap.hasAlpha ? 1 : 0)
        bitmap.withPixels { pixels in
            for index in pixels.indices { data.append(pixels[index]) }
        }
        return data
    }
}

private struct PlainPreviewDecoder: PreviewDecoder {
    let request: DecodeRequest
    private var pixels: [UInt8] = []
    private var headerByteCount = PlainCoder.headerByteCount
    private var shownRowCount = 0

    init(request: DecodeRequest) { self.request = request }

    mutating func append(_ bytes: Data) throws -> Bitmap? {
        let body = bytes.dropFirst(headerByteCount)
        headerByteCount -= min(headerByteCount, bytes.count)
        pixels += body
        let rowCount = pixels.count / (request.info.storedSize.width * 4)
        guard rowCount > shownRowCount else { return nil }
        shownRowCount = rowCount
        return try bitmap(rowCount: rowCount, hasAlpha: true)
    }

    mutating func finish() throws -> Bitmap {
        guard pixels.count >= request.info.storedSize.byteCount ?? 0 else {
            throw ImageError(.incomplete, .decode, "pixels are missing")
        }
        return try bitmap(rowCount: request.info.storedSize.height, hasAlpha: request.info.hasAlpha)
    }

    private func bitmap(rowCount: Int, hasAlpha: Bool) throws -> Bitmap {
        let size = request.info.storedSize
        return try Bitmap(size, hasAlpha: hasAlpha, limits: request.context.limits) { target in
            for index in 0..<min(target.count, rowCount * size.width * 4) { target[index] = pixels[index] }
        }
    }
}
