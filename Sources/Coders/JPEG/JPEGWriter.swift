import CJPEG
import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// libjpeg's writer of one file.
@safe final class JPEGWriter {
    private static let longestSide = 65500
    private static let mostProfileBytes = 255 * 65519

    private let handle: OpaquePointer
    private let rowByteCount: Int

    /// A writer of a picture of `size`, whose header it writes at once, with `profile` if that is of RGB.
    init(_ size: PixelSize, quality: Double, profile: Data?) throws(ImageError) {
        guard max(size.width, size.height) <= Self.longestSide else {
            throw ImageError(.unsupported, .encode, "a JPEG file cannot hold \(size) pixels")
        }
        guard let handle = unsafe cjpeg_encoder_create() else {
            throw ImageError(.internal, .encode, "libjpeg has no memory for a writer")
        }
        unsafe self.handle = handle
        rowByteCount = size.width * 4
        var options = unsafe CJPEGEncodeOptions()
        unsafe options.width = UInt32(size.width)
        unsafe options.height = UInt32(size.height)
        // What is no number counts as the best.
        let quality = quality.isNaN ? 1 : min(max(quality, 0), 1)
        unsafe options.quality = Int32(max(1, (quality * 100).rounded()))
        unsafe options.halves_chroma = quality < 0.9
        let status = unsafe (Self.usable(profile) ?? Data()).withUnsafeBytes { bytes in
            unsafe options.profile = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            unsafe options.profile_byte_count = UInt32(bytes.count)
            return unsafe cjpeg_encoder_start(handle, &options)
        }
        try check(status)
    }

    deinit { unsafe cjpeg_encoder_destroy(handle) }

    /// Writes the next whole rows, RGBA8 of which alpha is ignored.
    func append(rows pixels: Span<UInt8>) throws(ImageError) {
        precondition(pixels.count.isMultiple(of: rowByteCount), "rows of another length were promised")
        let status = unsafe pixels.withUnsafeBufferPointer { bytes in
            unsafe cjpeg_encoder_write_rows(handle, bytes.baseAddress, UInt32(pixels.count / rowByteCount))
        }
        try check(status)
    }

    /// The file, after the last row.
    func finish() throws(ImageError) -> Data {
        var bytes: UnsafePointer<UInt8>?
        var count = 0
        try check(unsafe cjpeg_encoder_finish(handle, &bytes, &count))
        guard let bytes = unsafe bytes else { throw ImageError(.internal, .encode, "libjpeg wrote nothing") }
        return unsafe Data(bytes: bytes, count: count)
    }

    /// The pixels are RGB, so a profile of anything else, such as the file's inks, is not theirs.
    private static func usable(_ profile: Data?) -> Data? {
        guard let profile, profile.count <= mostProfileBytes else { return nil }
        return profile.dropFirst(16).starts(with: Array("RGB ".utf8)) ? profile : nil
    }

    private func check(_ status: CJPEGStatus) throws(ImageError) {
        guard status != .done else { return }
        let message = unsafe String(cString: cjpeg_encoder_message(handle))
        throw ImageError(.internal, .encode, "the JPEG file could not be written (libjpeg: \(message))")
    }
}
