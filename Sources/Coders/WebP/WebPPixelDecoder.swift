import CWebP
import DarkroomCore
import DarkroomPlatform

/// The contents of the header of encoded pixels.
struct WebPFeatures {
    let size: PixelSize

    let hasAlpha: Bool

    let isLossless: Bool

    /// Parses the header. Returns `nil` if `pixelData` is too short.
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

    /// The number of bytes that libwebp holds at once in addition to its output.
    var workingByteCount: Int {
        // A lossless image is first decoded completely, as is an alpha plane, which is then copied.
        size.width * size.height * (isLossless ? 4 : hasAlpha ? 5 : 0)
    }
}

/// Decodes the pixels of one image incrementally. libwebp's one-shot decoder cannot be interrupted.
@safe final class WebPPixelDecoder {
    private let config = UnsafeMutablePointer<WebPDecoderConfig>.allocate(capacity: 1)
    private let decoder: OpaquePointer
    private var status = VP8_STATUS_SUSPENDED

    /// Creates a decoder into `pixels`, which have the given size and must outlive it. An image of another size is
    /// scaled.
    init(_ features: WebPFeatures, into pixels: UnsafeMutableBufferPointer<UInt8>, size: PixelSize) throws(ImageError) {
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

    /// Whether all pixels have been decoded.
    var isFinished: Bool { status == VP8_STATUS_OK }

    /// The number of output rows decoded so far.
    var rowCount: Int {
        var last: CInt = 0
        return unsafe WebPIDecGetRGB(decoder, &last, nil, nil, nil) == nil ? 0 : Int(last)
    }

    /// Decodes further. `pixelData` must contain all available bytes of the pixel chunks, from the first one on.
    func update(_ pixelData: Data) throws(ImageError) {
        guard !isFinished else { return }
        // libwebp keeps the address, but does not access it before it gets the next one.
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
    default: throw .corruptPixels
    }
}

extension ImageError {
    fileprivate static let noMemory = ImageError(
        .overLimit, .decode, "memory for the pixels of the WebP could not be allocated")

    /// libwebp cannot decode the pixels.
    static let corruptPixels = ImageError(.corrupt, .decode, "the WebP has corrupt pixels")
}

extension WebPCoder {
    /// The underlying library and its loaded version.
    public static var libraryVersions: [String: String] {
        let version = WebPGetDecoderVersion()
        return ["libwebp": "\(version >> 16).\(version >> 8 & 255).\(version & 255)"]
    }
}
