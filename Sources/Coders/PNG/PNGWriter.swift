import CPNG
import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// libpng's writer of one file.
@safe final class PNGWriter {
    private let handle: OpaquePointer
    private let rowByteCount: Int

    /// A writer of a picture of `size`, with or without alpha, whose header it writes at once.
    init(_ size: PixelSize, hasAlpha: Bool, level: Int) throws(ImageError) {
        guard let width = UInt32(exactly: size.width), let height = UInt32(exactly: size.height) else {
            throw ImageError(.unsupported, .encode, "a PNG file cannot hold \(size) pixels")
        }
        guard let handle = unsafe cpng_writer_create() else {
            throw ImageError(.internal, .encode, "libpng has no memory for a writer")
        }
        unsafe self.handle = handle
        rowByteCount = size.width * 4
        try check(unsafe cpng_write_header(handle, width, height, hasAlpha ? 1 : 0, Int32(level)))
    }

    deinit { unsafe cpng_writer_destroy(handle) }

    /// Writes the next row, RGBA8 with straight alpha.
    func append(row pixels: Span<UInt8>) throws(ImageError) {
        precondition(pixels.count == rowByteCount, "a row of another length was promised")
        let code = unsafe pixels.withUnsafeBufferPointer { bytes in unsafe cpng_write_row(handle, bytes.baseAddress) }
        try check(code)
    }

    /// The file, after the last row.
    func finish() throws(ImageError) -> Data {
        var bytes: UnsafeMutablePointer<UInt8>?
        var count = 0
        try check(unsafe cpng_finish(handle, &bytes, &count))
        guard let bytes = unsafe bytes else { throw ImageError(.internal, .encode, "libpng wrote nothing") }
        return unsafe Data(bytesNoCopy: bytes, count: count, deallocator: .free)
    }

    private func check(_ code: Int32) throws(ImageError) {
        guard Int(code) != CPNG_OK else { return }
        let message = unsafe String(cString: cpng_writer_message(handle))
        throw ImageError(.internal, .encode, "the PNG file could not be written (libpng: \(message))")
    }
}
