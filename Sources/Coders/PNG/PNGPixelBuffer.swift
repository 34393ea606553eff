import CPNG
import DarkroomCore

/// The RGBA8 pixels of an image that is not complete, initially zero.
@safe final class PNGPixelBuffer {
    /// The pixels, in packed rows from the top.
    let pixels: UnsafeMutableBufferPointer<UInt8>
    private let size: PixelSize

    /// Allocates pixels for `size`, which must have been checked against the limits.
    init(_ size: PixelSize) throws(ImageError) {
        guard let byteCount = size.byteCount, let memory = unsafe cpng_picture_create(byteCount) else {
            throw ImageError(.internal, .decode, "memory for \(size) pixels could not be allocated")
        }
        unsafe pixels = UnsafeMutableBufferPointer(start: memory, count: byteCount)
        self.size = size
    }

    deinit { unsafe cpng_picture_destroy(pixels.baseAddress, pixels.count) }

    /// Returns a copy of the pixels so far.
    func bitmap(hasAlpha: Bool, limits: DecodeLimits) throws -> Bitmap {
        try Bitmap(size, hasAlpha: hasAlpha, limits: limits) { copy in
            unsafe copy.withUnsafeMutableBufferPointer { copy in
                _ = unsafe copy.update(fromContentsOf: pixels)
            }
        }
    }
}
