import CAVIF
import DarkroomCore
import DarkroomItemFile

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A file opened by libavif, with the most recently decoded frame. Owned by one task.
@safe final class AVIFFile {
    /// The maximum number of frames. libavif's own limit is higher, and reading all frame times takes quadratic time.
    private static let frameLimit: UInt32 = 10_000

    private let decoder: UnsafeMutablePointer<avifDecoder>
    private let items: ItemFile
    // libavif reads from this buffer for as long as the decoder lives.
    private let bytes: UnsafeMutableBufferPointer<UInt8>

    /// Reads the boxes of `data`.
    init(_ data: Data, _ limits: DecodeLimits) throws(ImageError) {
        items = try ItemFile(data, limits: limits)
        unsafe bytes = .allocate(capacity: data.count)
        _ = unsafe bytes.initialize(from: data)
        unsafe decoder = avifDecoderCreate()
        unsafe decoder.pointee.maxThreads = 1
        unsafe decoder.pointee.ignoreXMP = 1
        unsafe decoder.pointee.imageCountLimit = Self.frameLimit
        // Files that lack a required but unimportant box are common.
        unsafe decoder.pointee.strictFlags = AVIF_STRICT_CLAP_VALID.rawValue
        try unsafe check(avifDecoderSetIOMemory(decoder, bytes.baseAddress, bytes.count))
        try unsafe check(avifDecoderParse(decoder))
    }

    deinit {
        unsafe avifDecoderDestroy(decoder)
        unsafe bytes.deallocate()
    }

    /// The properties declared in the boxes.
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

    /// Decodes the next frame; returns `false` after the last one.
    func decodeNext(_ limits: DecodeLimits) throws(ImageError) -> Bool {
        try prepare(limits)
        let result = unsafe avifDecoderNextImage(decoder)
        guard result != AVIF_RESULT_NO_IMAGES_REMAINING else { return false }
        try check(result)
        return true
    }

    /// Decodes frame `index`, and the frames that it depends on.
    func decode(frame index: Int, _ limits: DecodeLimits) throws(ImageError) {
        try prepare(limits)
        try unsafe check(avifDecoderNthImage(decoder, UInt32(index)))
    }

    /// Returns the most recently decoded frame as RGB.
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

    /// The header inside the AV1 stream may declare more pixels than the boxes do.
    private func prepare(_ limits: DecodeLimits) throws(ImageError) {
        try items.checkCanvas(limits)
        var streamPixelCount = min(max(limits.pixelCount, 1), Int(AVIF_DEFAULT_IMAGE_SIZE_LIMIT))
        let declared = items.largestCodedImage.pixelCount
        // The frames of a track have no property with a size.
        if !hasTrack, declared > 0 { streamPixelCount = min(streamPixelCount, declared) }
        try limits.check(decodedByteCount: decodedByteCount(streamPixelCount))
        unsafe decoder.pointee.imageSizeLimit = UInt32(streamPixelCount)
    }

    /// Whether the images are the frames of a track, not an item.
    private var hasTrack: Bool { unsafe decoder.pointee.imageCount > 1 }

    /// Returns the memory needed at the same time: the planes, those of the previous frame or of all tiles, each of which has at
    /// most `streamPixelCount` pixels, and the converted pixels.
    private func decodedByteCount(_ streamPixelCount: Int) -> Int {
        let image = unsafe decoder.pointee.image.pointee
        let sampleByteCount = unsafe image.depth > 8 ? 2 : 1
        // The bounds are beyond all memory and prevent an overflow.
        let canvasPixelCount = hasTrack ? 0 : min(items.largestCanvas.pixelCount, 1 << 40)
        let streamCount = hasTrack ? 0 : min(items.codedImageCount, 1 << 30)
        let pixelCount = unsafe max(Int(image.width) * Int(image.height), canvasPixelCount)
        let planes = pixelCount * 4 * sampleByteCount
        return pixelCount * 4 + planes + max(planes, streamCount * streamPixelCount * 3 * sampleByteCount)
    }

    private func durations(_ count: Int) throws(ImageError) -> [Duration] {
        let start = ContinuousClock.now
        var durations: [Duration] = []
        for index in 0..<count {
            var timing = avifImageTiming()
            try unsafe check(avifDecoderNthImageTiming(decoder, UInt32(index), &timing))
            durations.append(Duration(saturatingSeconds: timing.duration))
            guard start.duration(to: .now) < .seconds(1) else {
                throw ImageError(
                    .overLimit, .decode, "the durations of the \(count) frames of the AVIF take more than 1 s to read")
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

/// Returns the offset of the TIFF structure in an Exif payload.
private func exifOffset(in payload: Data) -> Int {
    // The first four bytes contain the offset; depending on its version, libavif removes them.
    let start = [UInt8](payload.prefix(4))
    return start == [0, 0, 0, 0] ? 4 : 0
}

extension Data {
    /// Copies bytes owned by libavif; `nil` if there are none.
    fileprivate init?(_ bytes: avifRWData) {
        guard let start = unsafe bytes.data, unsafe bytes.size > 0 else { return nil }
        unsafe self.init(bytes: start, count: bytes.size)
    }
}

extension ImageError {
    fileprivate static let noMemory = ImageError(
        .overLimit, .decode, "there is not enough memory for the pixels of the AVIF")
}
