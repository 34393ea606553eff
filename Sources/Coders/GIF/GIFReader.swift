import CGif
import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Decompresses the frames of a GIF with giflib, row by row, from memory.
@safe final class GIFReader {
    private let file: UnsafeMutablePointer<GifFileType>
    private let source: GIFSource

    /// Opens `data`, and reads its logical screen.
    init(_ data: Data) throws(ImageError) {
        source = GIFSource(data)
        // giflib keeps a pointer to `source`, which therefore lives as long as `file`.
        let user = unsafe Unmanaged.passUnretained(source).toOpaque()
        guard let file = unsafe DGifOpen(user, readGIFSource, nil) else { throw source.failure("header") }
        unsafe self.file = file
    }

    deinit { _ = unsafe DGifCloseFile(file, nil) }

    /// Goes to the next frame, over whatever lies before it.
    func nextFrame() throws(ImageError) -> GIFFrame {
        var transparentIndex: Int?
        while true {
            var type = UNDEFINED_RECORD_TYPE
            try check(unsafe DGifGetRecordType(file, &type), "blocks")
            switch type {
            case EXTENSION_RECORD_TYPE: try readExtension(&transparentIndex)
            case IMAGE_DESC_RECORD_TYPE: return try readFrame(transparentIndex)
            default: throw ImageError(.corrupt, .decode, "the GIF has no frame")
            }
        }
    }

    /// Fills `row` with the indices of the frame's next stored row.
    func readRow(into row: inout [UInt8]) throws(ImageError) {
        try check(unsafe DGifGetLine(file, &row, CInt(row.count)), "pixels")
    }

    private func readExtension(_ transparentIndex: inout Int?) throws(ImageError) {
        var label: CInt = 0
        // The first byte of a block is the count of those that follow.
        var block: UnsafeMutablePointer<GifByteType>?
        try check(unsafe DGifGetExtension(file, &label, &block), "extensions")
        if label == GRAPHICS_EXT_FUNC_CODE, let block = unsafe block, unsafe block[0] >= 4 {
            transparentIndex = unsafe block[1] & 1 == 1 ? Int(block[4]) : nil
        }
        while unsafe block != nil { try check(unsafe DGifGetExtensionNext(file, &block), "extensions") }
    }

    private func readFrame(_ transparentIndex: Int?) throws(ImageError) -> GIFFrame {
        try check(unsafe DGifGetImageHeader(file), "frame")
        let image = unsafe file.pointee.Image
        guard let colors = unsafe image.ColorMap ?? file.pointee.SColorMap else {
            throw ImageError(.corrupt, .decode, "the GIF has no colours")
        }
        guard unsafe image.Width > 0, unsafe image.Height > 0 else {
            throw ImageError(.corrupt, .decode, "the GIF's frame has no pixels")
        }
        let hasScreen = unsafe file.pointee.SWidth > 0 && file.pointee.SHeight > 0
        return unsafe GIFFrame(
            left: hasScreen ? Int(image.Left) : 0, top: hasScreen ? Int(image.Top) : 0,
            size: PixelSize(Int(image.Width), Int(image.Height)), isInterlaced: image.Interlace,
            palette: palette(colors, transparentIndex))
    }

    private func palette(_ colors: UnsafeMutablePointer<ColorMapObject>, _ transparentIndex: Int?) -> [UInt32] {
        var palette = [UInt32](repeating: UInt32(littleEndian: 0xFF00_0000), count: 256)
        for index in 0..<min(unsafe Int(colors.pointee.ColorCount), 256) {
            let color = unsafe colors.pointee.Colors[index]
            palette[index] = UInt32(
                littleEndian: 0xFF00_0000 | UInt32(color.Blue) << 16 | UInt32(color.Green) << 8 | UInt32(color.Red))
        }
        if let transparentIndex { palette[transparentIndex] = 0 }
        return palette
    }

    private func check(_ result: CInt, _ part: String) throws(ImageError) {
        guard result == GIF_OK else { throw source.failure(part) }
    }
}

/// The bytes that giflib asks for.
private final class GIFSource {
    private let data: Data
    private var position: Data.Index
    private var isExhausted = false

    init(_ data: Data) {
        self.data = data
        position = data.startIndex
    }

    func read(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int {
        let end = position + min(count, data.endIndex - position)
        isExhausted = isExhausted || end - position < count
        unsafe data.copyBytes(to: bytes, from: position..<end)
        defer { position = end }
        return end - position
    }

    /// Why giflib gave up: for want of bytes, or because of those it got.
    func failure(_ part: String) -> ImageError {
        isExhausted ? .endOfGIF : ImageError(.corrupt, .decode, "the GIF's \(part) cannot be decoded")
    }
}

private func readGIFSource(
    _ file: UnsafeMutablePointer<GifFileType>?, _ bytes: UnsafeMutablePointer<GifByteType>?, _ count: CInt
) -> CInt {
    guard let user = unsafe file?.pointee.UserData, let bytes = unsafe bytes else { return 0 }
    return unsafe CInt(Unmanaged<GIFSource>.fromOpaque(user).takeUnretainedValue().read(bytes, Int(count)))
}
