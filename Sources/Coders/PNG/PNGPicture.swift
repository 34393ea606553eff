import CPNG
import DarkroomCore

/// Memory for the pixels of a picture that is not complete, RGBA8, zero at first.
@safe final class PNGPicture {
    /// The pixels, rows packed from the top.
    let pixels: UnsafeMutableBufferPointer<UInt8>
    private let size: PixelSize

    /// Memory for `size`, which was checked.
    init(_ size: PixelSize) throws(ImageError) {
        guard let byteCount = size.byteCount, let memory = unsafe cpng_picture_create(byteCount) else {
            throw ImageError(.internal, .decode, "there is no memory for \(size) pixels")
        }
        unsafe pixels = UnsafeMutableBufferPointer(start: memory, count: byteCount)
        self.size = size
    }

    deinit { unsafe cpng_picture_destroy(pixels.baseAddress, pixels.count) }

    /// A copy of what there is.
    func bitmap(hasAlpha: Bool, _ limits: DecodeLimits) throws -> Bitmap {
        try Bitmap(size, hasAlpha: hasAlpha, limits: limits) { copy in
            unsafe copy.withUnsafeMutableBufferPointer { copy in
                _ = unsafe copy.update(fromContentsOf: pixels)
            }
        }
    }
}
