import CAVIF
import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An image encoded by libavif. Owned by one task.
@safe final class AVIFEncoding {
    private let image: UnsafeMutablePointer<avifImage>
    private let quantizer: CInt
    private let speed: CInt

    /// Converts the pixels of `bitmap`. With a quality of 1 the conversion is lossless.
    init(_ bitmap: Bitmap, for request: EncodeRequest) throws {
        let context = request.context
        guard 0...10 ~= context.avifSpeed else {
            throw ImageError(.unsupported, .encode, "an avifSpeed of \(context.avifSpeed) is not between 0 and 10")
        }
        // The largest size that AV1 can express; it also keeps numbers within the range of C's types.
        guard bitmap.size.width <= 65_536, bitmap.size.height <= 65_536 else {
            throw ImageError(.unsupported, .encode, "an AVIF cannot be \(bitmap.size) pixels large")
        }
        let isLossless = context.encoderQuality == nil && request.quality == 1
        let number = try request.encoderQuality(by: .libavif)
        quantizer = isLossless ? 0 : CInt(number.rounded())
        speed = CInt(context.avifSpeed)
        unsafe image = avifImageCreate(
            UInt32(bitmap.size.width), UInt32(bitmap.size.height), 8,
            isLossless ? AVIF_PIXEL_FORMAT_YUV444 : AVIF_PIXEL_FORMAT_YUV420)
        unsafe image.pointee.colorPrimaries = avifColorPrimaries(AVIF_COLOR_PRIMARIES_BT709)
        unsafe image.pointee.transferCharacteristics = avifTransferCharacteristics(AVIF_TRANSFER_CHARACTERISTICS_SRGB)
        unsafe image.pointee.matrixCoefficients = avifMatrixCoefficients(
            isLossless ? AVIF_MATRIX_COEFFICIENTS_IDENTITY : AVIF_MATRIX_COEFFICIENTS_BT601)
        try check(convert(bitmap))
    }

    deinit { unsafe avifImageDestroy(image) }

    /// Sets the colour profile of the pixels.
    func setProfile(_ profile: Data) {
        unsafe profile.withUnsafeBytes { bytes in
            unsafe avifImageSetProfileICC(image, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
        }
    }

    /// Adds the Exif metadata.
    func setExif(_ exif: Data) {
        unsafe exif.withUnsafeBytes { bytes in
            unsafe avifImageSetMetadataExif(image, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
        }
    }

    /// Returns the encoded bytes, which are identical for equal images.
    func file() throws(ImageError) -> Data {
        guard let encoder = unsafe avifEncoderCreate() else {
            throw ImageError(.overLimit, .encode, "there is not enough memory to encode the AVIF")
        }
        defer { unsafe avifEncoderDestroy(encoder) }
        unsafe encoder.pointee.maxThreads = 1
        unsafe encoder.pointee.speed = speed
        unsafe (encoder.pointee.minQuantizer, encoder.pointee.maxQuantizer) = (quantizer, quantizer)
        unsafe (encoder.pointee.minQuantizerAlpha, encoder.pointee.maxQuantizerAlpha) = (0, 0)
        var output = unsafe avifRWData()
        defer { unsafe avifRWDataFree(&output) }
        try unsafe check(avifEncoderWrite(encoder, image, &output))
        return unsafe Data(bytes: output.data, count: output.size)
    }

    private func convert(_ bitmap: Bitmap) -> avifResult {
        bitmap.withPixels { pixels in
            unsafe pixels.withUnsafeBufferPointer { buffer in
                var rgb = unsafe avifRGBImage()
                unsafe avifRGBImageSetDefaults(&rgb, image)
                unsafe rgb.format = AVIF_RGB_FORMAT_RGBA
                unsafe rgb.ignoreAlpha = bitmap.hasAlpha ? 0 : 1
                // libavif only reads the pixels.
                unsafe rgb.pixels = UnsafeMutablePointer(mutating: buffer.baseAddress)
                unsafe rgb.rowBytes = UInt32(bitmap.size.width * 4)
                return unsafe avifImageRGBToYUV(image, &rgb)
            }
        }
    }

    private func check(_ result: avifResult) throws(ImageError) {
        guard result != AVIF_RESULT_OK else { return }
        throw ImageError(
            .unsupported, .encode, "the AVIF cannot be written: \(unsafe String(cString: avifResultToString(result)))")
    }
}
