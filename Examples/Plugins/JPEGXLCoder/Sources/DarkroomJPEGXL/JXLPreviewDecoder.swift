import CJXL
import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Decodes a file whose bytes are arriving. libjxl reports when the picture at an eighth of its size is complete, and each
/// pass that refines it. Owned by one task.
@safe final class JXLPreviewDecoder: PreviewDecoder {
    private let request: DecodeRequest
    private let decoding: JXLDecoding
    private let size: PixelSize
    // libjxl writes to this buffer until the frame is complete.
    private let pixels: UnsafeMutableBufferPointer<UInt8>
    private var waiting = Data()
    private var byteCount = 0
    /// Whether there are pixels to show, and whether they are new.
    private var hasPixels = false, hasNewPixels = false
    private var isComplete = false

    init(_ request: DecodeRequest) throws {
        self.request = request
        size = request.info.storedSize
        // The buffer, and a preview of it.
        let (bytes, overflow) = (size.byteCount ?? .max).multipliedReportingOverflow(by: 2)
        try request.context.limits.check(decodedByteCount: overflow ? .max : bytes)
        decoding = try JXLDecoding(
            Data(),
            events: [JXL_DEC_BASIC_INFO, JXL_DEC_COLOR_ENCODING, JXL_DEC_FRAME_PROGRESSION, JXL_DEC_FULL_IMAGE],
            isComplete: false)
        unsafe JxlDecoderSetProgressiveDetail(decoding.decoder, kLastPasses)
        unsafe pixels = .allocate(capacity: bytes / 2)
        unsafe pixels.initialize(repeating: 0)
    }

    deinit { unsafe pixels.deallocate() }

    /// Decodes in steps that grow with the file: libjxl starts a part anew that is incomplete.
    func append(_ bytes: Data) throws -> Bitmap? {
        waiting += bytes
        byteCount += bytes.count
        guard !isComplete, waiting.count >= max(byteCount / 16, 1 << 10) else { return nil }
        try decode()
        return hasNewPixels && !isComplete ? try shownBitmap() : nil
    }

    func partialBitmap() throws -> Bitmap? {
        if !isComplete { try decode() }
        return hasPixels ? try shownBitmap() : nil
    }

    func finish() throws -> Bitmap {
        if !isComplete {
            decoding.complete()
            try decode()
        }
        return try bitmap()
    }

    /// The header of an animation needs the whole file, so all frames are there when it has been read.
    var frameDurations: [Duration] { isComplete && request.info.frameCount > 1 ? request.info.frameDurations : [] }

    /// Decodes what has arrived.
    private func decode() throws {
        decoding.append(waiting)
        waiting = Data()
        while !isComplete {
            switch try decoding.nextEvent(request.checkCancellation) {
            case JXL_DEC_BASIC_INFO: try decoding.checkMemory(for: request)
            case JXL_DEC_COLOR_ENCODING: decoding.requestSRGB(for: request)
            case JXL_DEC_NEED_IMAGE_OUT_BUFFER: try unsafe decoding.setOutput(pixels)
            case JXL_DEC_FRAME_PROGRESSION: (hasPixels, hasNewPixels) = (true, true)
            case JXL_DEC_FULL_IMAGE: (isComplete, hasPixels) = (true, true)
            case JXL_DEC_NEED_MORE_INPUT: return
            case nil: throw ImageError(.corrupt, .decode, "the JPEG XL contains no image")
            default: break
            }
        }
    }

    /// Returns the pixels so far; `nil` if libjxl cannot show any yet.
    private func shownBitmap() throws -> Bitmap? {
        hasNewPixels = false
        guard unsafe isComplete || JxlDecoderFlushImage(decoding.decoder) == JXL_DEC_SUCCESS else { return nil }
        return try bitmap()
    }

    private func bitmap() throws -> Bitmap {
        let hasAlpha = request.info.hasAlpha
        return try Bitmap(size, hasAlpha: hasAlpha, limits: request.context.limits) { copy in
            for index in copy.indices { copy[index] = unsafe pixels[index] }
            if !hasAlpha { copy.makeOpaque() }
        }
    }
}
