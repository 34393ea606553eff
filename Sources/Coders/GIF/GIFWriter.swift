import CGif
import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Compresses frames with giflib, row by row, into memory.
@safe final class GIFWriter {
    private var file: UnsafeMutablePointer<GifFileType>?
    private let sink: GIFSink

    /// Begins a file of `size`, no side of which is above 65,535, with the colours of all frames that have none of their own.
    ///
    /// `request` says how large it may become.
    init(_ size: PixelSize, palette: GIFPalette?, _ request: EncodeRequest) throws(ImageError) {
        sink = GIFSink(request)
        // giflib keeps a pointer to `sink`, which therefore lives as long as `file`.
        unsafe file = EGifOpen(Unmanaged.passUnretained(sink).toOpaque(), writeGIFSink, nil)
        guard unsafe file != nil else { throw .gifNotWritten }
        unsafe EGifSetGifVersion(file, true)
        let map = try ColorMap(palette)
        try check(unsafe EGifPutScreenDesc(file, CInt(size.width), CInt(size.height), map.bitCount, 0, map.object))
    }

    deinit { close() }

    /// Says how often the animation plays, up to 65,535 times; 0 for ever.
    func putLoopCount(_ count: Int) throws(ImageError) {
        let block = [1, UInt8(count & 255), UInt8(count >> 8)]
        let name = Array("NETSCAPE2.0".utf8)
        try check(unsafe EGifPutExtensionLeader(file, APPLICATION_EXT_FUNC_CODE))
        try check(unsafe EGifPutExtensionBlock(file, CInt(name.count), name))
        try check(unsafe EGifPutExtensionBlock(file, CInt(block.count), block))
        try check(unsafe EGifPutExtensionTrailer(file))
    }

    /// Says how the next frame is shown: `delay` is in hundredths of a second, up to 65,535.
    func putControl(transparentIndex: UInt8?, clears: Bool = false, delay: Int = 0) throws(ImageError) {
        // Disposal 0 is for stills, 1 keeps, 2 clears.
        let disposal: UInt8 = clears ? 2 : delay > 0 ? 1 : 0
        let flags = disposal << 2 | (transparentIndex == nil ? 0 : 1)
        let block = [flags, UInt8(delay & 255), UInt8(delay >> 8), transparentIndex ?? 0]
        try check(unsafe EGifPutExtension(file, GRAPHICS_EXT_FUNC_CODE, CInt(block.count), block))
    }

    /// Begins a frame, with colours of its own or those of the file.
    func beginFrame(_ area: PixelRectangle, palette: GIFPalette?) throws(ImageError) {
        let map = try ColorMap(palette)
        try check(
            unsafe EGifPutImageDesc(
                file, CInt(area.x), CInt(area.y), CInt(area.width), CInt(area.height), false, map.object))
    }

    /// Adds the next row of the frame, an index a pixel.
    func append(_ row: inout [UInt8]) throws(ImageError) {
        try check(unsafe EGifPutLine(file, &row, CInt(row.count)))
    }

    /// The file, once all rows of all frames are in it.
    func finish() throws(ImageError) -> Data {
        close()
        if let refusal = sink.refusal { throw refusal }
        return sink.data
    }

    private func close() {
        _ = unsafe EGifCloseFile(file, nil)
        unsafe file = nil
    }

    private func check(_ result: CInt) throws(ImageError) {
        guard result == GIF_OK else { throw sink.refusal ?? .gifNotWritten }
    }
}

/// The colours of a palette as giflib wants them: a power of two.
@safe private final class ColorMap {
    let object: UnsafeMutablePointer<ColorMapObject>?
    let bitCount: CInt

    /// giflib takes `nil` for no colours.
    init(_ palette: GIFPalette?) throws(ImageError) {
        guard let palette else {
            unsafe object = nil
            bitCount = 8
            return
        }
        var table = palette.colors.map { GifColorType(Red: $0.red, Green: $0.green, Blue: $0.blue) }
        bitCount = GifBitSize(CInt(table.count))
        table += Array(repeating: GifColorType(), count: 1 << Int(bitCount) - table.count)
        unsafe object = GifMakeMapObject(CInt(table.count), table)
        guard unsafe object != nil else { throw .gifNotWritten }
    }

    deinit { unsafe GifFreeMapObject(object) }
}

/// The bytes that giflib has written.
private final class GIFSink {
    private(set) var data = Data()
    /// Why no more bytes are taken.
    private(set) var refusal: ImageError?
    private let request: EncodeRequest

    init(_ request: EncodeRequest) { self.request = request }

    /// Appends `bytes`; answers how many, which are none when the file would be too large.
    func append(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        do {
            try request.check(outputByteCount: data.count + bytes.count)
        } catch {
            refusal = error
            return 0
        }
        unsafe data.append(bytes)
        return bytes.count
    }
}

private func writeGIFSink(
    _ file: UnsafeMutablePointer<GifFileType>?, _ bytes: UnsafePointer<GifByteType>?, _ count: CInt
) -> CInt {
    guard let user = unsafe file?.pointee.UserData, let bytes = unsafe bytes else { return 0 }
    // The sink that the writer passed to `EGifOpen`, and keeps for as long as the file is open.
    let sink = unsafe Unmanaged<GIFSink>.fromOpaque(user).takeUnretainedValue()
    return unsafe CInt(sink.append(UnsafeBufferPointer(start: bytes, count: Int(count))))
}

extension ImageError {
    fileprivate static let gifNotWritten = ImageError(.internal, .encode, "giflib cannot write the picture")
}
