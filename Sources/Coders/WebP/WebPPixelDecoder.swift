import CWebP
import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What the header of a picture's pixels tells.
struct WebPFeatures {
    let size: PixelSize

    let hasAlpha: Bool

    let isLossless: Bool

    /// `nil` when `pixelData` ends before they are known.
    init?(_ pixelData: Data) throws(ImageError) {
        var features = WebPBitstreamFeatures()
        let status = unsafe pixelData.withUnsafeBytes { bytes in
            unsafe WebPGetFeatures(bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count, &features)
        }
        if status == VP8_STATUS_NOT_ENOUGH_DATA { return nil }
        try check(status)
        size = PixelSize(Int(features.width), Int(features.height))
        hasAlpha = features.has_alpha != 0
        isLossless = features.format == 2
    }

    /// The bytes that libwebp holds at once, beside those it writes to.
    var workingByteCount: Int {
        // A lossless picture is first decoded as a whole, and so is a plane of alpha, which is then copied.
        size.width * size.height * (isLossless ? 4 : hasAlpha ? 5 : 0)
    }
}

/// Decodes the pixels of one picture as their bytes come; the decoder that takes them at once cannot be interrupted.
@safe final class WebPPixelDecoder {
    private let config = UnsafeMutablePointer<WebPDecoderConfig>.allocate(capacity: 1)
    private let decoder: OpaquePointer
    private var status = VP8_STATUS_SUSPENDED

    /// Decodes into `pixels`, of which there are `size`; a picture of another size is scaled. They outlive the decoder.
    init(_ features: WebPFeatures, to pixels: UnsafeMutableBufferPointer<UInt8>, _ size: PixelSize) throws(ImageError) {
        _ = unsafe WebPInitDecoderConfig(config)
        unsafe config.pointee.output.colorspace = MODE_RGBA
        unsafe config.pointee.output.is_external_memory = 1
        unsafe config.pointee.output.u.RGBA = WebPRGBABuffer(
            rgba: pixels.baseAddress, stride: CInt(size.width * 4), size: pixels.count)
        unsafe config.pointee.options.use_scaling = size == features.size ? 0 : 1
        unsafe config.pointee.options.scaled_width = CInt(size.width)
        unsafe config.pointee.options.scaled_height = CInt(size.height)
        guard let decoder = unsafe WebPIDecode(nil, 0, config) else {
            unsafe config.deallocate()
            throw .noMemory
        }
        unsafe self.decoder = decoder
    }

    deinit {
        unsafe WebPIDelete(decoder)
        unsafe config.deallocate()
    }

    /// Whether all pixels are there.
    var isFinished: Bool { status == VP8_STATUS_OK }

    /// How many rows are there, of those that are written.
    var rowCount: Int {
        var last: CInt = 0
        return unsafe WebPIDecGetRGB(decoder, &last, nil, nil, nil) == nil ? 0 : Int(last)
    }

    /// Takes all bytes of the pixels' chunks that are there by now, from the first.
    func update(_ pixelData: Data) throws(ImageError) {
        guard !isFinished else { return }
        // libwebp keeps the address, but goes there only after it was given the next one.
        status = unsafe pixelData.withUnsafeBytes { bytes in
            unsafe WebPIUpdate(decoder, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
        }
        if status != VP8_STATUS_SUSPENDED { try check(status) }
    }
}

private func check(_ status: VP8StatusCode) throws(ImageError) {
    switch status {
    case VP8_STATUS_OK: return
    case VP8_STATUS_OUT_OF_MEMORY: throw .noMemory
    default: throw .brokenPixels
    }
}

extension ImageError {
    fileprivate static let noMemory = ImageError(.overLimit, .decode, "there is no memory for the WebP's pixels")

    /// libwebp cannot make anything of the pixels.
    static let brokenPixels = ImageError(.corrupt, .decode, "the WebP's pixels cannot be decoded")
}
