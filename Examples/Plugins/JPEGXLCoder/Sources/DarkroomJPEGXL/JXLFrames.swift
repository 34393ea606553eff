import CJXL
import DarkroomCore

/// Decodes the frames of a file in one pass. Owned by one task.
final class JXLFrames: FrameDecoder {
    private let request: DecodeRequest
    private let decoding: JXLDecoding
    private var playedCount = 0
    /// Whether there are no more frames, at the end of the file or after an error.
    private var isOver = false

    init(_ request: DecodeRequest) throws(ImageError) {
        self.request = request
        decoding = try JXLDecoding(
            request.data, events: [JXL_DEC_BASIC_INFO, JXL_DEC_COLOR_ENCODING, JXL_DEC_FULL_IMAGE])
    }

    func nextFrame() throws -> Frame? {
        guard playedCount < request.info.frameCount, let bitmap = try nextBitmap() else { return nil }
        defer { playedCount += 1 }
        return Frame(bitmap, duration: request.info.frameDurations[playedCount])
    }

    /// Returns the next frame; `nil` after the last one.
    func nextBitmap() throws -> Bitmap? {
        guard !isOver else { return nil }
        isOver = true
        while let event = try decoding.nextEvent(request.checkCancellation) {
            switch event {
            case JXL_DEC_BASIC_INFO: try checkMemory()
            case JXL_DEC_COLOR_ENCODING: requestSRGB()
            case JXL_DEC_NEED_IMAGE_OUT_BUFFER:
                let bitmap = try decodedBitmap()
                isOver = false
                return bitmap
            default: break
            }
        }
        return nil
    }

    private func decodedBitmap() throws -> Bitmap {
        let info = request.info
        return try Bitmap(info.storedSize, hasAlpha: info.hasAlpha, limits: request.context.limits) { pixels in
            try unsafe pixels.withUnsafeMutableBufferPointer { buffer in
                var format = JxlPixelFormat(
                    num_channels: 4, data_type: JXL_TYPE_UINT8, endianness: JXL_NATIVE_ENDIAN, align: 0)
                guard
                    unsafe JxlDecoderSetImageOutBuffer(decoding.decoder, &format, buffer.baseAddress, buffer.count)
                        == JXL_DEC_SUCCESS
                else {
                    throw ImageError(.corrupt, .decode, "the size of a JPEG XL frame differs from its header")
                }
                guard try decoding.nextEvent(request.checkCancellation) == JXL_DEC_FULL_IMAGE else {
                    throw ImageError(.corrupt, .decode, "a frame of the JPEG XL has no pixels")
                }
                // An image without alpha may have other extra channels, but is opaque.
                guard !info.hasAlpha else { return }
                for index in stride(from: 3, to: buffer.count, by: 4) { unsafe buffer[index] = 255 }
            }
        }
    }

    /// Checks the memory that libjxl needs: four bytes per sample for each channel, of which there may be thousands.
    private func checkMemory() throws {
        let header = decoding.basicInfo
        let size = PixelSize(Int(header.xsize), Int(header.ysize))
        guard size == request.info.storedSize else {
            throw ImageError(.internal, .decode, "the size of the JPEG XL differs from that of the request")
        }
        let (byteCount, overflow) = (size.byteCount ?? .max)
            .multipliedReportingOverflow(by: 4 + Int(header.num_extra_channels))
        try request.context.limits.check(decodedByteCount: overflow ? .max : byteCount)
    }

    /// Requests sRGB output, which libjxl honours for colours in its own colour space.
    private func requestSRGB() {
        var encoding = JxlColorEncoding()
        unsafe JxlColorEncodingSetToSRGB(&encoding, request.info.colorModel == .gray ? JXL_TRUE : JXL_FALSE)
        _ = unsafe JxlDecoderSetPreferredColorProfile(decoding.decoder, &encoding)
    }
}
