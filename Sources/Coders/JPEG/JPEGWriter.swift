import CJPEG
import DarkroomCore
import DarkroomPlatform

/// A libjpeg writer of one file.
@safe final class JPEGWriter {
    private static let maximumSide = 65500
    private static let maximumProfileByteCount = 255 * 65519
    private static let maximumExifByteCount = 65533
    /// The number of pixels up to which tables of their own take less than a millisecond.
    private static let optimizedPixelCount = 1 << 18

    private let handle: OpaquePointer
    private let request: EncodeRequest
    private let rowByteCount: Int

    /// Creates a writer of an image of `size` and writes the header.
    init(_ size: PixelSize, for request: EncodeRequest, percent: Int, channels: JPEGChannels) throws {
        guard max(size.width, size.height) <= Self.maximumSide else {
            throw ImageError(
                .unsupported, .encode, "a JPEG file cannot have \(size) pixels, only \(Self.maximumSide) per side")
        }
        let profile = try Self.checked(
            request.profile(for: channels) ?? Data(), name: "a profile", byteLimit: Self.maximumProfileByteCount)
        let exif = try Self.checked(Self.segment(of: request.exif), name: "Exif", byteLimit: Self.maximumExifByteCount)
        guard let handle = unsafe cjpeg_encoder_create() else {
            throw ImageError(.internal, .encode, "libjpeg could not allocate a writer")
        }
        unsafe self.handle = handle
        self.request = request
        rowByteCount = size.width * 4
        var options = unsafe CJPEGEncodeOptions()
        unsafe options.width = UInt32(size.width)
        unsafe options.height = UInt32(size.height)
        unsafe options.quality = Int32(percent)
        unsafe options.is_gray = channels.isGray
        unsafe (options.chroma_columns, options.chroma_rows) = (channels.columnsPerChroma, channels.rowsPerChroma)
        unsafe options.is_optimized = request.context.optimizesJPEG ?? (size.pixelCount <= Self.optimizedPixelCount)
        unsafe options.is_progressive = request.context.writesProgressiveJPEG
        unsafe options.byte_limit = max(request.context.limits.outputByteCount, 0)
        unsafe try start(&options, profile: profile, exif: exif)
    }

    deinit { unsafe cjpeg_encoder_destroy(handle) }

    /// Writes the next rows as RGBA8, ignoring alpha. `pixels` must consist of whole rows.
    func append(rows pixels: Span<UInt8>) throws {
        precondition(pixels.count.isMultiple(of: rowByteCount), "the pixels do not consist of whole rows")
        let status = unsafe pixels.withUnsafeBufferPointer { bytes in
            unsafe cjpeg_encoder_write_rows(handle, bytes.baseAddress, UInt32(pixels.count / rowByteCount))
        }
        try check(status)
    }

    /// Returns the file after the last row has been written.
    func finish() throws -> Data {
        var bytes: UnsafePointer<UInt8>?
        var count = 0
        try check(unsafe cjpeg_encoder_finish(handle, &bytes, &count))
        guard let bytes = unsafe bytes else { throw ImageError(.internal, .encode, "libjpeg produced no output") }
        try request.check(outputByteCount: count)
        return unsafe Data(bytes: bytes, count: count)
    }

    private func start(_ options: inout CJPEGEncodeOptions, profile: Data, exif: Data) throws {
        unsafe options.is_cancelled = { writer in
            guard let writer = unsafe writer else { return false }
            return unsafe Unmanaged<JPEGWriter>.fromOpaque(writer).takeUnretainedValue().request.isCancelled
        }
        // libjpeg calls back only while a method of this writer runs, so the writer is alive.
        unsafe options.context = Unmanaged.passUnretained(self).toOpaque()
        let status = unsafe profile.withUnsafeBytes { profile in
            unsafe exif.withUnsafeBytes { exif in
                unsafe options.profile = profile.baseAddress?.assumingMemoryBound(to: UInt8.self)
                unsafe options.profile_byte_count = UInt32(profile.count)
                unsafe options.exif = exif.baseAddress?.assumingMemoryBound(to: UInt8.self)
                unsafe options.exif_byte_count = UInt32(exif.count)
                return unsafe cjpeg_encoder_start(handle, &options)
            }
        }
        try check(status)
    }

    private static func segment(of exif: Exif?) -> Data {
        exif.map { Data("Exif\0\0".utf8) + $0.data } ?? Data()
    }

    private static func checked(_ data: Data, name: String, byteLimit: Int) throws(ImageError) -> Data {
        guard data.count <= byteLimit else {
            throw ImageError(
                .unsupported, .encode, "a JPEG file cannot have \(name) of \(data.count) bytes, only \(byteLimit)")
        }
        return data
    }

    private func check(_ status: CJPEGStatus) throws {
        guard status != .done else { return }
        if status == .cancelled { try request.checkCancellation() }
        if status == .overLimit { try request.check(outputByteCount: request.context.limits.outputByteCount &+ 1) }
        let message = unsafe String(cString: cjpeg_encoder_message(handle))
        throw ImageError(.internal, .encode, "the JPEG file could not be encoded (libjpeg: \(message))")
    }
}
