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
            case JXL_DEC_BASIC_INFO: try decoding.checkMemory(for: request)
            case JXL_DEC_COLOR_ENCODING: decoding.requestSRGB(for: request)
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
                try unsafe decoding.setOutput(buffer)
                guard try decoding.nextEvent(request.checkCancellation) == JXL_DEC_FULL_IMAGE else {
                    throw ImageError(.corrupt, .decode, "a frame of the JPEG XL has no pixels")
                }
            }
            if !info.hasAlpha { pixels.makeOpaque() }
        }
    }
}
