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

extension WebPFrame {
    /// Decodes to `pixels`, which are a canvas of this size: at the frame's place, or scaled to the canvas as a whole.
    ///
    /// All of `pixelData` must be there. `checkCancellation` is called after equal parts of it.
    func decode(
        to pixels: inout MutableSpan<UInt8>, canvas: PixelSize, isScaled: Bool, checkCancellation: () throws -> Void
    ) throws {
        try unsafe pixels.withUnsafeMutableBufferPointer { pixels in
            let start = isScaled ? 0 : (top * canvas.width + left) * 4
            guard let base = pixels.baseAddress, start < pixels.count else { return }
            var config = unsafe WebPDecoderConfig()
            _ = unsafe WebPInitDecoderConfig(&config)
            unsafe config.output.colorspace = MODE_RGBA
            unsafe config.output.is_external_memory = 1
            unsafe config.output.u.RGBA = WebPRGBABuffer(
                rgba: base + start, stride: CInt(canvas.width * 4), size: pixels.count - start)
            unsafe config.options.use_scaling = isScaled ? 1 : 0
            unsafe config.options.scaled_width = CInt(canvas.width)
            unsafe config.options.scaled_height = CInt(canvas.height)
            try unsafe run(&config, checkCancellation)
        }
    }

    /// Feeds the incremental decoder, since the other one cannot be interrupted.
    private func run(_ config: inout WebPDecoderConfig, _ checkCancellation: () throws -> Void) throws {
        // A lossless picture begins with tables that are read anew with each slice until they are complete.
        let sliceCount = features.isLossless ? 16 : 64
        try unsafe withUnsafeMutablePointer(to: &config) { config in
            guard let decoder = unsafe WebPIDecode(nil, 0, config) else { return try check(VP8_STATUS_OUT_OF_MEMORY) }
            defer { unsafe WebPIDelete(decoder) }
            var status = VP8_STATUS_SUSPENDED
            try unsafe pixelData.withUnsafeBytes { bytes in
                let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
                for slice in 1...sliceCount where status == VP8_STATUS_SUSPENDED {
                    try checkCancellation()
                    status = unsafe WebPIUpdate(decoder, start, bytes.count * slice / sliceCount)
                }
            }
            try check(status)
        }
    }
}

private func check(_ status: VP8StatusCode) throws(ImageError) {
    switch status {
    case VP8_STATUS_OK: return
    case VP8_STATUS_OUT_OF_MEMORY: throw ImageError(.overLimit, .decode, "there is no memory for the WebP's pixels")
    default: throw ImageError(.corrupt, .decode, "the WebP's pixels cannot be decoded")
    }
}
