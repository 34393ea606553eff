public import DarkroomCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension ImageFormat {
    /// A format for tests: the text `plain!`, width and height as two bytes each, an alpha flag, then RGBA8 pixels.
    public static let plain = ImageFormat(
        identifier: "darkroom.plain", mimeType: "image/x-plain", fileExtension: "plain", signatures: ["plain!"])
}

/// A coder for tests, with pixels that can be foretold. It is also the plainest coder that encodes.
public struct PlainCoder: EncodingImageCoder {
    private static let headerByteCount = 11

    /// Called before each decode, on the thread that decodes.
    private let willDecode: @Sendable (DecodeRequest) throws -> Void

    /// A coder that calls `willDecode` before each decode.
    public init(willDecode: @escaping @Sendable (DecodeRequest) throws -> Void = { _ in }) {
        self.willDecode = willDecode
    }

    /// Only `plain`.
    public var formats: [ImageFormat] { [.plain] }

    /// Reads the size and the alpha flag.
    public func info(of data: Data) throws -> ImageInfo {
        let bytes = [UInt8](data.prefix(Self.headerByteCount))
        guard bytes.count == Self.headerByteCount else { throw ImageError(.incomplete, .decode, "the header is cut") }
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
            for index in $0.indices { $0[index] = pixels[pixels.startIndex + index] }
        }
    }

    /// Writes a still.
    public func encode(_ request: EncodeRequest) throws -> Data { try Self.file(of: request.still()) }

    /// A file that shows `bitmap`; both sides below 65,536.
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
