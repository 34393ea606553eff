import CGif
import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Compresses one frame with giflib, row by row, into memory.
@safe final class GIFWriter {
    private var file: UnsafeMutablePointer<GifFileType>?
    private let sink = GIFSink()

    /// Begins a file of `size`, no side of which is above 65,535.
    init(_ size: PixelSize, palette: GIFPalette) throws(ImageError) {
        // giflib keeps a pointer to `sink`, which therefore lives as long as `file`.
        unsafe file = EGifOpen(Unmanaged.passUnretained(sink).toOpaque(), writeGIFSink, nil)
        guard unsafe file != nil else { throw .gifNotWritten }
        unsafe EGifSetGifVersion(file, true)
        try writeScreen(size, palette.colors)
        if let index = palette.transparentIndex { try writeControl(transparentIndex: index) }
        try check(unsafe EGifPutImageDesc(file, 0, 0, CInt(size.width), CInt(size.height), false, nil))
    }

    deinit { close() }

    /// Adds the next row, an index a pixel.
    func append(_ row: inout [UInt8]) throws(ImageError) {
        try check(unsafe EGifPutLine(file, &row, CInt(row.count)))
    }

    /// The file, once all rows are in it.
    func finish() -> Data {
        close()
        return sink.data
    }

    private func close() {
        _ = unsafe EGifCloseFile(file, nil)
        unsafe file = nil
    }

    private func writeScreen(_ size: PixelSize, _ colors: [GIFColor]) throws(ImageError) {
        var table = colors.map { GifColorType(Red: $0.red, Green: $0.green, Blue: $0.blue) }
        let bitCount = GifBitSize(CInt(table.count))
        table += Array(repeating: GifColorType(), count: 1 << Int(bitCount) - table.count)
        guard let map = unsafe GifMakeMapObject(CInt(table.count), table) else { throw .gifNotWritten }
        defer { unsafe GifFreeMapObject(map) }
        try check(unsafe EGifPutScreenDesc(file, CInt(size.width), CInt(size.height), bitCount, 0, map))
    }

    private func writeControl(transparentIndex: UInt8) throws(ImageError) {
        let block: [UInt8] = [1, 0, 0, transparentIndex]
        try check(unsafe EGifPutExtension(file, GRAPHICS_EXT_FUNC_CODE, CInt(block.count), block))
    }

    private func check(_ result: CInt) throws(ImageError) {
        guard result == GIF_OK else { throw .gifNotWritten }
    }
}

/// The bytes that giflib has written.
private final class GIFSink {
    var data = Data()
}

private func writeGIFSink(
    _ file: UnsafeMutablePointer<GifFileType>?, _ bytes: UnsafePointer<GifByteType>?, _ count: CInt
) -> CInt {
    guard let user = unsafe file?.pointee.UserData, let bytes = unsafe bytes else { return 0 }
    unsafe Unmanaged<GIFSink>.fromOpaque(user).takeUnretainedValue().data.append(bytes, count: Int(count))
    return count
}

extension ImageError {
    fileprivate static let gifNotWritten = ImageError(.internal, .encode, "giflib cannot write the picture")
}
