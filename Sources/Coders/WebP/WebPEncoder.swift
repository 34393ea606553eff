import CWebP
import DarkroomCore
import DarkroomPlatform

/// One run of libwebp's encoder, with its input and its output.
@safe final class WebPEncoder {
    private let picture = UnsafeMutablePointer<WebPPicture>.allocate(capacity: 1)
    private let writer = UnsafeMutablePointer<WebPMemoryWriter>.allocate(capacity: 1)
    private let configuration: WebPConfiguration
    private let request: EncodeRequest
    /// The size if the last bytes had been accepted. libwebp does not always report that they were rejected.
    private var wantedByteCount = 0

    /// Copies `bitmap`, whose sides must not exceed 16,383. `request` is checked for cancellation while encoding.
    init(_ bitmap: Bitmap, configuration: WebPConfiguration, request: EncodeRequest) throws(ImageError) {
        self.configuration = configuration
        self.request = request
        _ = unsafe WebPPictureInit(picture)
        unsafe WebPMemoryWriterInit(writer)
        unsafe picture.pointee.use_argb = configuration.needsRGB ? 1 : 0
        unsafe picture.pointee.width = CInt(bitmap.size.width)
        unsafe picture.pointee.height = CInt(bitmap.size.height)
        let isImported = bitmap.withPixels { pixels in
            unsafe pixels.withUnsafeBufferPointer { pixels in
                let (base, stride) = (pixels.baseAddress, CInt(bitmap.size.width * 4))
                return unsafe bitmap.hasAlpha
                    ? WebPPictureImportRGBA(picture, base, stride) : WebPPictureImportRGBX(picture, base, stride)
            }
        }
        guard isImported != 0 else { throw error }
    }

    deinit {
        unsafe WebPPictureFree(picture)
        unsafe WebPMemoryWriterClear(writer)
        unsafe picture.deallocate()
        unsafe writer.deallocate()
    }

    /// Encodes the file. It may be called once.
    func file() throws -> Data {
        var config = configuration.forLibwebp
        unsafe picture.pointee.custom_ptr = UnsafeMutableRawPointer(writer)
        // libwebp calls the functions only while a method of this object runs, so the object is alive.
        unsafe picture.pointee.user_data = Unmanaged.passUnretained(self).toOpaque()
        unsafe picture.pointee.writer = { bytes, count, picture in
            guard let encoder = unsafe WebPEncoder.of(picture), encoder.hasRoom(for: count) else { return 0 }
            return unsafe WebPMemoryWrite(bytes, count, picture)
        }
        unsafe picture.pointee.progress_hook = { _, picture in
            unsafe WebPEncoder.of(picture)?.request.isCancelled == true ? 0 : 1
        }
        guard unsafe WebPEncode(&config, picture) != 0 else { throw try failure() }
        return unsafe Data(bytes: writer.pointee.mem, count: writer.pointee.size)
    }

    private static func of(_ picture: UnsafePointer<WebPPicture>?) -> WebPEncoder? {
        // Alive: `user_data` is the encoder whose method calls libwebp, which calls back before it returns.
        unsafe picture?.pointee.user_data.map { unsafe Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }

    private func hasRoom(for count: Int) -> Bool {
        wantedByteCount = unsafe writer.pointee.size + count
        return wantedByteCount <= request.context.limits.outputByteCount
    }

    /// Returns the reason why libwebp failed. Throws if it was cancelled.
    private func failure() throws -> ImageError {
        try request.check(outputByteCount: wantedByteCount)
        if unsafe picture.pointee.error_code == VP8_ENC_ERROR_USER_ABORT { try request.checkCancellation() }
        return error
    }

    private var error: ImageError {
        let code = unsafe picture.pointee.error_code
        switch code {
        case VP8_ENC_ERROR_USER_ABORT: return .cancelled
        case VP8_ENC_ERROR_INVALID_CONFIGURATION:
            return ImageError(.unsupported, .encode, "libwebp rejected webPOptions")
        case VP8_ENC_ERROR_OUT_OF_MEMORY, VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY:
            return ImageError(.overLimit, .encode, "memory for encoding the WebP could not be allocated")
        default: return ImageError(.internal, .encode, "libwebp could not encode the image (error \(code.rawValue))")
        }
    }
}

extension WebPConfiguration {
    fileprivate var forLibwebp: WebPConfig {
        var config = WebPConfig()
        _ = unsafe WebPConfigPreset(&config, WEBP_PRESET_DEFAULT, Float(quality * 100))
        config.lossless = isLossless ? 1 : 0
        // If it is exact, libwebp does not round pixels.
        config.exact = isLossless && options.nearLosslessLevel == nil ? 1 : 0
        config.target_size = CInt(clamping: isLossless ? 0 : targetByteCount ?? 0)
        config.near_lossless = CInt(options.nearLosslessLevel ?? 100)
        config.target_PSNR = Float(options.targetPSNR)
        config.method = CInt(options.method)
        config.pass = CInt(pass)
        config.preprocessing = CInt(options.preprocessing)
        config.thread_level = LibraryThreads.areAllowed ? CInt(options.threadLevel) : 0
        config.low_memory = options.savesMemory ? 1 : 0
        config.segments = CInt(options.segments)
        config.sns_strength = CInt(options.snsStrength)
        config.filter_strength = CInt(options.filterStrength)
        config.filter_sharpness = CInt(options.filterSharpness)
        config.filter_type = CInt(options.filterType)
        config.autofilter = options.choosesFilterStrength ? 1 : 0
        config.alpha_compression = options.compressesAlpha ? 1 : 0
        config.alpha_filtering = CInt(options.alphaFiltering)
        config.alpha_quality = CInt(options.alphaQuality)
        config.partitions = CInt(options.partitions)
        config.partition_limit = CInt(options.partitionLimit)
        config.use_sharp_yuv = usesSharpYUV ? 1 : 0
        return config
    }
}
