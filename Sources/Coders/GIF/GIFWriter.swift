import DarkroomCore
import CGif
import DarkroomPlatform
import DarkroomQuantizing

/// Compresses frames into memory with giflib, row by row.
@safe final class GIFWriter {
    private var file: UnsafeMutablePointer<GifFileType>?
    private let sink: GIFSink

    /// The global palette, for frames without a palette of their own.
    let palette: ColorTable?

    /// Starts a file of `size`, whose sides must not exceed 65,535, with a global palette for frames without a palette
    /// of their own.
    ///
    /// `request` provides the limit of the file size.
    init(_ size: PixelSize, palette: ColorTable?, request: EncodeRequest) throws(ImageError) {
        self.palette = palette
        sink = GIFSink(request)
        // giflib keeps a pointer to `sink`, so `sink` must live as long as `file`.
        unsafe file = EGifOpen(Unmanaged.passUnretained(sink).toOpaque(), writeGIFSink, nil)
        guard unsafe file != nil else { throw .gifEncodingFailed }
        unsafe EGifSetGifVersion(file, true)
        let map = try ColorMap(palette)
        try check(unsafe EGifPutScreenDesc(file, CInt(size.width), CInt(size.height), map.bitCount, 0, map.object))
    }

    deinit { close() }

    /// Writes the loop count; 0 for infinite.
    func writeLoopCount(_ count: UInt16) throws(ImageError) {
        let block = [1, UInt8(count & 255), UInt8(count >> 8)]
        let name = Array("NETSCAPE2.0".utf8)
        try check(unsafe EGifPutExtensionLeader(file, APPLICATION_EXT_FUNC_CODE))
        try check(unsafe EGifPutExtensionBlock(file, CInt(name.count), name))
        try check(unsafe EGifPutExtensionBlock(file, CInt(block.count), block))
        try check(unsafe EGifPutExtensionTrailer(file))
    }

    /// Writes the comments and the XMP of the request.
    func writeMetadata(of request: EncodeRequest) throws(ImageError) {
        for comment in request.comments {
            let text = Array(comment.utf8)
            try check(unsafe EGifPutExtensionLeader(file, COMMENT_EXT_FUNC_CODE))
            for start in stride(from: 0, to: text.count, by: 255) {
                let block = Array(text[start..<min(start + 255, text.count)])
                try check(unsafe EGifPutExtensionBlock(file, CInt(block.count), block))
            }
            try check(unsafe EGifPutExtensionTrailer(file))
        }
        guard let xmp = request.xmp else { return }
        let name = Array("XMP DataXMP".utf8)
        try check(unsafe EGifPutExtensionLeader(file, APPLICATION_EXT_FUNC_CODE))
        try check(unsafe EGifPutExtensionBlock(file, CInt(name.count), name))
        // The packet is not split into blocks. giflib does not buffer what it writes.
        try sink.append(xmp.data + GIFMetadata.xmpTrailer)
        try check(unsafe EGifPutExtensionTrailer(file))
    }

    /// Writes the graphic control extension of the next frame. `delay` is in hundredths of a second, up to 65,535.
    func writeControl(transparentIndex: UInt8?, clears: Bool = false, delay: Int = 0) throws(ImageError) {
        // Disposal 0 is for stills, 1 keeps the frame, 2 clears it.
        let disposal: UInt8 = clears ? 2 : delay > 0 ? 1 : 0
        let flags = disposal << 2 | (transparentIndex == nil ? 0 : 1)
        let block = [flags, UInt8(delay & 255), UInt8(delay >> 8), transparentIndex ?? 0]
        try check(unsafe EGifPutExtension(file, GRAPHICS_EXT_FUNC_CODE, CInt(block.count), block))
    }

    /// Starts a frame with a palette of its own, or with the global one.
    func beginFrame(_ area: PixelRectangle, palette: ColorTable?) throws(ImageError) {
        let map = try ColorMap(palette)
        try check(
            unsafe EGifPutImageDesc(
                file, CInt(area.x), CInt(area.y), CInt(area.width), CInt(area.height), false, map.object))
    }

    /// Appends the next row of the frame, one index per pixel.
    func append(_ row: inout [UInt8]) throws(ImageError) {
        try check(unsafe EGifPutLine(file, &row, CInt(row.count)))
    }

    /// Finishes the file and returns it. All rows of all frames must have been written.
    func finish() throws(ImageError) -> Data {
        close()
        if let failure = sink.failure { throw failure }
        return sink.data
    }

    private func close() {
        _ = unsafe EGifCloseFile(file, nil)
        unsafe file = nil
    }

    private func check(_ result: CInt) throws(ImageError) {
        guard result == GIF_OK else { throw sink.failure ?? .gifEncodingFailed }
    }
}

/// A palette as giflib requires it: its size is a power of two.
@safe private final class ColorMap {
    let object: UnsafeMutablePointer<ColorMapObject>?
    let bitCount: CInt

    /// giflib uses `nil` for no palette.
    init(_ palette: ColorTable?) throws(ImageError) {
        guard let palette else {
            unsafe object = nil
            bitCount = 8
            return
        }
        var table = palette.colors.map { GifColorType(Red: $0.red, Green: $0.green, Blue: $0.blue) }
        bitCount = GifBitSize(CInt(table.count))
        table += Array(repeating: GifColorType(), count: 1 << Int(bitCount) - table.count)
        unsafe object = GifMakeMapObject(CInt(table.count), table)
        guard unsafe object != nil else { throw .gifEncodingFailed }
    }

    deinit { unsafe GifFreeMapObject(object) }
}

/// The bytes that giflib has written.
private final class GIFSink {
    private(set) var data = Data()
    /// The error that stopped writing.
    private(set) var failure: ImageError?
    private let request: EncodeRequest

    init(_ request: EncodeRequest) { self.request = request }

    /// Appends bytes that giflib does not write.
    func append(_ bytes: Data) throws(ImageError) {
        try request.check(outputByteCount: data.count + bytes.count)
        data.append(bytes)
    }

    /// Appends `bytes` and returns their count, or 0 if the file would become too large.
    func append(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        do {
            try request.check(outputByteCount: data.count + bytes.count)
        } catch {
            failure = error
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
    // The sink that the writer passed to `EGifOpen`, and retains for as long as the file is open.
    let sink = unsafe Unmanaged<GIFSink>.fromOpaque(user).takeUnretainedValue()
    return unsafe CInt(sink.append(UnsafeBufferPointer(start: bytes, count: Int(count))))
}

extension ImageError {
    fileprivate static let gifEncodingFailed = ImageError(.internal, .encode, "giflib could not encode the image")
}

extension GIFCoder {
    /// The library that encodes, and the version that this module was built with.
    public static var libraryVersions: [String: String] {
        ["giflib": "\(GIFLIB_MAJOR).\(GIFLIB_MINOR).\(GIFLIB_RELEASE)"]
    }
}
