import CJXL
import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A file decoded by libjxl, fed in chunks so that decoding can be cancelled. Owned by one task.
@safe final class JXLDecoding {
    /// The decoder, which all functions of libjxl take.
    let decoder: OpaquePointer

    // libjxl reads from this buffer for as long as the decoder lives.
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    private let chunkByteCount: Int
    private var suppliedByteCount = 0

    /// Prepares decoding that stops at each of `events`.
    init(_ data: Data, events: [JxlDecoderStatus]) throws(ImageError) {
        guard let decoder = unsafe JxlDecoderCreate(nil) else {
            throw ImageError(.overLimit, .decode, "there is not enough memory to decode the JPEG XL")
        }
        unsafe self.decoder = decoder
        unsafe bytes = .allocate(capacity: data.count)
        _ = unsafe bytes.initialize(from: data)
        // Large enough that restarting in the middle of a group costs little.
        chunkByteCount = max(data.count / 16, 1 << 16)
        unsafe JxlDecoderSubscribeEvents(decoder, events.reduce(0) { $0 | CInt($1.rawValue) })
        unsafe JxlDecoderSetKeepOrientation(decoder, JXL_TRUE)
        unsafe JxlDecoderSetUnpremultiplyAlpha(decoder, JXL_TRUE)
    }

    deinit {
        unsafe JxlDecoderDestroy(decoder)
        unsafe bytes.deallocate()
    }

    /// Decodes up to the next event; `nil` at the end. Calls `checkCancellation` after each chunk.
    func nextEvent(_ checkCancellation: () throws -> Void = {}) throws -> JxlDecoderStatus? {
        while true {
            try checkCancellation()
            switch unsafe JxlDecoderProcessInput(decoder) {
            case JXL_DEC_NEED_MORE_INPUT: try supplyInput()
            case JXL_DEC_ERROR: throw ImageError(.corrupt, .decode, "the JPEG XL cannot be decoded")
            case JXL_DEC_SUCCESS: return nil
            case let event: return event
            }
        }
    }

    /// The basic header. Valid only after the corresponding event.
    var basicInfo: JxlBasicInfo {
        var info = JxlBasicInfo()
        _ = unsafe JxlDecoderGetBasicInfo(decoder, &info)
        return info
    }

    private func supplyInput() throws(ImageError) {
        let start = unsafe suppliedByteCount - JxlDecoderReleaseInput(decoder)
        guard unsafe suppliedByteCount < bytes.count else {
            throw ImageError(.incomplete, .decode, "the JPEG XL ends before its last pixel")
        }
        suppliedByteCount = unsafe min(suppliedByteCount + chunkByteCount, bytes.count)
        let piece = unsafe UnsafeBufferPointer(rebasing: bytes[start..<suppliedByteCount])
        _ = unsafe JxlDecoderSetInput(decoder, piece.baseAddress, piece.count)
        if unsafe suppliedByteCount == bytes.count { unsafe JxlDecoderCloseInput(decoder) }
    }
}
