public import DarkroomCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Decodes the first frame of GIFs, and writes stills as GIFs of at most 256 colours.
public struct GIFCoder: EncodingImageCoder {
    /// A coder; all are alike.
    public init() {}

    /// GIF alone.
    public var formats: [ImageFormat] { [.gif] }

    /// Reads the descriptors of all frames; it goes over the whole file, but decompresses nothing.
    public func info(of data: Data) throws -> ImageInfo {
        let outline = try GIFOutline(data)
        var info = ImageInfo(format: .gif, storedSize: outline.size)
        info.hasAlpha = outline.hasAlpha
        info.colorModel = .indexed
        info.frameCount = outline.frameDurations.count
        if info.frameCount > 1 {
            info.loopCount = outline.loopCount
            info.frameDurations = outline.frameDurations
        }
        return info
    }

    /// The first frame on the logical screen; what the frame does not cover is transparent.
    public func decode(_ request: DecodeRequest) throws -> Bitmap {
        let (limits, size) = (request.context.limits, request.info.storedSize)
        let reader = try GIFReader(request.data)
        let frame = try reader.nextFrame()
        // A frame may be far larger than the screen it is cut to.
        let pixelCount = frame.size.width * frame.size.height
        guard pixelCount <= limits.pixelCount else {
            throw ImageError.overLimit("pixelCount", value: pixelCount, bound: limits.pixelCount)
        }
        return try Bitmap(size, hasAlpha: request.info.hasAlpha, limits: limits) { screen in
            var row = [UInt8](repeating: 0, count: frame.size.width)
            for y in frame.rows {
                try request.checkCancellation()
                try reader.readRow(into: &row)
                frame.draw(row, row: y, on: &screen, size: size)
            }
        }
    }

    /// Pixels with an alpha of 128 and more become opaque, all others transparent; more than 256 colours are reduced.
    public func encode(_ request: EncodeRequest) throws -> Data {
        let bitmap = try request.still()
        guard max(bitmap.size.width, bitmap.size.height) <= 65_535 else {
            throw ImageError(.unsupported, .encode, "a GIF cannot have \(bitmap.size) pixels, only 65535 a side")
        }
        let palette = try GIFPalette(bitmap, checkCancellation: request.checkCancellation)
        let writer = try GIFWriter(bitmap.size, palette: palette)
        var indices = [UInt8](repeating: 0, count: bitmap.size.width)
        try bitmap.forEachRow { row in
            try request.checkCancellation()
            palette.lookUp(row, into: &indices)
            try writer.append(&indices)
        }
        return writer.finish()
    }
}
