import CAVIF
import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A still or an animation encoded by libavif. Owned by one task.
@safe final class AVIFEncoding {
    /// The lowest quality whose number in the table is for full chroma.
    private static let fullChromaQuality = 0.9

    /// The unit of durations, in which those of 30 frames a second have no visible error.
    private static let ticksPerSecond = 1_000_000.0

    private let request: EncodeRequest
    private let encoder: UnsafeMutablePointer<avifEncoder>
    private let isLossless: Bool
    /// Whether the file has alpha; the frames of an animation have it all, or none.
    private let hasAlpha: Bool

    /// Prepares encoding with the options of `request`. With a quality of 1 it is lossless.
    init(_ request: EncodeRequest, hasAlpha: Bool) throws {
        let context = request.context
        try ImageError.check(context.avifSpeed, in: 0...10, name: "context.avifSpeed")
        self.request = request
        self.hasAlpha = hasAlpha
        isLossless = context.encoderQuality == nil && request.quality == 1
        let number = try request.encoderQuality(by: .libavif)
        let quantizer = isLossless ? 0 : CInt(number.rounded())
        guard let encoder = unsafe avifEncoderCreate() else {
            throw ImageError(.overLimit, .encode, "there is not enough memory to encode the AVIF")
        }
        unsafe self.encoder = encoder
        unsafe encoder.pointee.maxThreads = 1
        unsafe encoder.pointee.speed = CInt(context.avifSpeed)
        unsafe encoder.pointee.timescale = UInt64(Self.ticksPerSecond)
        unsafe (encoder.pointee.minQuantizer, encoder.pointee.maxQuantizer) = (quantizer, quantizer)
        unsafe (encoder.pointee.minQuantizerAlpha, encoder.pointee.maxQuantizerAlpha) = (0, 0)
    }

    deinit { unsafe avifEncoderDestroy(encoder) }

    /// Adds the pixels of a still, or those of a frame that is shown for `duration`.
    func add(_ bitmap: Bitmap, for duration: Duration? = nil) throws {
        // The largest size that AV1 can express; it also keeps numbers within the range of C's types.
        guard bitmap.size.width <= 65_536, bitmap.size.height <= 65_536 else {
            throw ImageError(.unsupported, .encode, "an AVIF cannot be \(bitmap.size) pixels large")
        }
        guard let image = unsafe makeImage(bitmap.size) else {
            throw ImageError(.overLimit, .encode, "there is not enough memory to encode the AVIF")
        }
        defer { unsafe avifImageDestroy(image) }
        try unsafe check(convert(bitmap, to: image))
        let ticks = duration.map { max(($0 / .seconds(1) * Self.ticksPerSecond).rounded(), 1) } ?? 1
        let flags = duration == nil ? AVIF_ADD_IMAGE_FLAG_SINGLE : AVIF_ADD_IMAGE_FLAG_NONE
        try unsafe check(
            avifEncoderAddImage(encoder, image, UInt64(exactly: ticks) ?? .max >> 1, avifAddImageFlags(flags.rawValue)))
    }

    /// Returns the encoded bytes, which are identical for equal images.
    func file() throws(ImageError) -> Data {
        var output = unsafe avifRWData()
        defer { unsafe avifRWDataFree(&output) }
        try unsafe check(avifEncoderFinish(encoder, &output))
        return unsafe Data(bytes: output.data, count: output.size).withoutTimes()
    }

    private var keepsChroma: Bool {
        let context = request.context
        let isNeeded = context.encoderQuality == nil && request.quality >= Self.fullChromaQuality
        return isLossless || context.avifKeepsFullChroma ?? isNeeded
    }

    /// Creates an image in the colour space of the request, with its metadata.
    private func makeImage(_ size: PixelSize) -> UnsafeMutablePointer<avifImage>? {
        let image = unsafe avifImageCreate(
            UInt32(size.width), UInt32(size.height), 8,
            keepsChroma ? AVIF_PIXEL_FORMAT_YUV444 : AVIF_PIXEL_FORMAT_YUV420)
        guard let image = unsafe image else { return nil }
        unsafe image.pointee.colorPrimaries = avifColorPrimaries(AVIF_COLOR_PRIMARIES_BT709)
        unsafe image.pointee.transferCharacteristics = avifTransferCharacteristics(AVIF_TRANSFER_CHARACTERISTICS_SRGB)
        unsafe image.pointee.matrixCoefficients = avifMatrixCoefficients(
            isLossless ? AVIF_MATRIX_COEFFICIENTS_IDENTITY : AVIF_MATRIX_COEFFICIENTS_BT601)
        if let profile = request.iccProfile {
            unsafe profile.withBytes { unsafe avifImageSetProfileICC(image, $0, $1) }
        }
        if let exif = request.exif?.data { unsafe exif.withBytes { unsafe avifImageSetMetadataExif(image, $0, $1) } }
        return unsafe image
    }

    private func convert(_ bitmap: Bitmap, to image: UnsafeMutablePointer<avifImage>) -> avifResult {
        bitmap.withPixels { pixels in
            unsafe pixels.withUnsafeBufferPointer { buffer in
                var rgb = unsafe avifRGBImage()
                unsafe avifRGBImageSetDefaults(&rgb, image)
                unsafe rgb.format = AVIF_RGB_FORMAT_RGBA
                unsafe rgb.ignoreAlpha = hasAlpha ? 0 : 1
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

extension Data {
    fileprivate func withBytes(_ body: (UnsafePointer<UInt8>?, Int) -> Void) {
        unsafe withUnsafeBytes { unsafe body($0.baseAddress?.assumingMemoryBound(to: UInt8.self), $0.count) }
    }
}
