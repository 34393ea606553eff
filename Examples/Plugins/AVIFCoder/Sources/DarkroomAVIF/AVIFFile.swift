import CAVIF
import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A file that libavif has open, and the frame that it decoded last. One task owns it.
@safe final class AVIFFile {
    /// libavif's own bound is higher, and it looks through all times before for the time of each frame.
    private static let mostFrames: UInt32 = 10_000

    private let decoder: UnsafeMutablePointer<avifDecoder>
    // libavif reads from here as long as the decoder lives.
    private let bytes: UnsafeMutableBufferPointer<UInt8>

    /// Reads the boxes of `data`.
    init(_ data: Data) throws(ImageError) {
        unsafe bytes = .allocate(capacity: data.count)
        _ = unsafe bytes.initialize(from: data)
        unsafe decoder = avifDecoderCreate()
        unsafe decoder.pointee.maxThreads = 1
        unsafe decoder.pointee.ignoreXMP = 1
        unsafe decoder.pointee.imageCountLimit = Self.mostFrames
        // Files without some box that is required, but not needed, are common.
        unsafe decoder.pointee.strictFlags = AVIF_STRICT_CLAP_VALID.rawValue
        try unsafe check(avifDecoderSetIOMemory(decoder, bytes.baseAddress, bytes.count))
        try unsafe check(avifDecoderParse(decoder))
    }

    deinit {
        unsafe avifDecoderDestroy(decoder)
        unsafe bytes.deallocate()
    }

    /// What the boxes tell.
    var info: ImageInfo {
        get throws(ImageError) {
            let image = unsafe decoder.pointee.image.pointee
            var info = ImageInfo(format: .avif, storedSize: unsafe image.croppedSize)
            info.orientation = unsafe image.orientation
            info.hasAlpha = unsafe decoder.pointee.alphaPresent != 0
            info.bitsPerChannel = unsafe Int(image.depth)
            info.colorModel = unsafe image.yuvFormat == AVIF_PIXEL_FORMAT_YUV400 ? .gray : .rgb
            info.iccProfile = unsafe Data(image.icc)
            info.calibration = unsafe info.iccProfile == nil ? image.calibration : nil
            info.exif = unsafe Data(image.exif).map { Exif($0.dropFirst(exifOffset(in: $0))) }
            let frameCount = unsafe Int(decoder.pointee.imageCount)
            if frameCount > 1 {
                info.frameCount = frameCount
                info.frameDurations = try durations(frameCount)
            }
            return info
        }
    }

    /// Decodes the next frame; false after the last.
    func decodeNext(_ limits: DecodeLimits) throws(ImageError) -> Bool {
        try prepare(limits)
        let result = unsafe avifDecoderNextImage(decoder)
        guard result != AVIF_RESULT_NO_IMAGES_REMAINING else { return false }
        try check(result)
        return true
    }

    /// Decodes frame `index`, and those it needs.
    func decode(frame index: Int, _ limits: DecodeLimits) throws(ImageError) {
        try prepare(limits)
        try unsafe check(avifDecoderNthImage(decoder, UInt32(index)))
    }

    /// The frame that was decoded last, as RGB.
    func bitmap(_ limits: DecodeLimits) throws -> Bitmap {
        guard let view = unsafe avifImageCreateEmpty() else { throw ImageError.noMemory }
        defer { unsafe avifImageDestroy(view) }
        let image = unsafe decoder.pointee.image
        var area = unsafe image?.pointee.crop ?? avifCropRect()
        try unsafe check(avifImageSetViewRect(view, image, &area))
        let hasAlpha = unsafe decoder.pointee.alphaPresent != 0
        return try Bitmap(PixelSize(Int(area.width), Int(area.height)), hasAlpha: hasAlpha, limits: limits) { pixels in
            var rgb = unsafe avifRGBImage()
            unsafe avifRGBImageSetDefaults(&rgb, view)
            unsafe rgb.depth = 8
            unsafe rgb.format = AVIF_RGB_FORMAT_RGBA
            let rowByteCount = area.width * 4
            let result = unsafe pixels.withUnsafeMutableBufferPointer { buffer in
                unsafe rgb.pixels = buffer.baseAddress
                unsafe rgb.rowBytes = rowByteCount
                return unsafe avifImageYUVToRGB(view, &rgb)
            }
            try check(result)
        }
    }

    /// AV1's own header may ask for more pixels than the boxes do.
    private func prepare(_ limits: DecodeLimits) throws(ImageError) {
        try limits.check(decodedByteCount: decodedByteCount)
        let most = min(max(limits.pixelCount, 1), Int(AVIF_DEFAULT_IMAGE_SIZE_LIMIT))
        unsafe decoder.pointee.imageSizeLimit = UInt32(most)
    }

    /// What decoding holds at once: the planes, those of the frame before, and the pixels made of them.
    private var decodedByteCount: Int {
        let image = unsafe decoder.pointee.image.pointee
        let pixelCount = unsafe Int(image.width) * Int(image.height)
        return unsafe pixelCount * (4 + 2 * 4 * (image.depth > 8 ? 2 : 1))
    }

    private func durations(_ count: Int) throws(ImageError) -> [Double] {
        let start = ContinuousClock.now
        var durations: [Double] = []
        for index in 0..<count {
            var timing = avifImageTiming()
            try unsafe check(avifDecoderNthImageTiming(decoder, UInt32(index), &timing))
            durations.append(timing.duration)
            guard start.duration(to: .now) < .seconds(1) else {
                throw ImageError(.overLimit, .decode, "the times of the AVIF's \(count) frames take too long to read")
            }
        }
        return durations
    }

    private func check(_ result: avifResult) throws(ImageError) {
        guard result != AVIF_RESULT_OK else { return }
        let kind: ImageError.Kind =
            switch result {
            case AVIF_RESULT_TRUNCATED_DATA, AVIF_RESULT_WAITING_ON_IO: .incomplete
            case AVIF_RESULT_OUT_OF_MEMORY: .overLimit
            case AVIF_RESULT_NO_CODEC_AVAILABLE, AVIF_RESULT_NOT_IMPLEMENTED, AVIF_RESULT_UNSUPPORTED_DEPTH:
                .unsupported
            default: .corrupt
            }
        throw ImageError(
            kind, .decode, "the AVIF cannot be decoded: \(unsafe String(cString: avifResultToString(result)))")
    }
}

/// Where the TIFF structure begins in a payload of Exif.
private func exifOffset(in payload: Data) -> Int {
    // Four bytes tell how much comes before it; libavif leaves them out or in, by the version.
    let start = [UInt8](payload.prefix(4))
    return start == [0, 0, 0, 0] ? 4 : 0
}

extension Data {
    /// A copy of what libavif holds; `nil` for nothing.
    fileprivate init?(_ bytes: avifRWData) {
        guard let start = unsafe bytes.data, unsafe bytes.size > 0 else { return nil }
        unsafe self.init(bytes: start, count: bytes.size)
    }
}

extension ImageError {
    fileprivate static let noMemory = ImageError(.overLimit, .decode, "there is no memory for the AVIF's pixels")
}
