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

    // libjxl reads from this buffer until its input is released.
    private var bytes: UnsafeMutableBufferPointer<UInt8>
    private var suppliedByteCount = 0
    private var isComplete: Bool
    /// Large enough that restarting in the middle of a group costs little.
    private var chunkByteCount = 0

    /// Prepares decoding that stops at each of `events`. With `isComplete`, `data` is the whole file; otherwise more of it
    /// may be appended.
    init(_ data: Data, events: [JxlDecoderStatus], isComplete: Bool = true) throws(ImageError) {
        guard let decoder = unsafe JxlDecoderCreate(nil) else {
            throw ImageError(.overLimit, .decode, "there is not enough memory to decode the JPEG XL")
        }
        unsafe self.decoder = decoder
        unsafe bytes = .allocate(capacity: 0)
        self.isComplete = isComplete
        unsafe JxlDecoderSubscribeEvents(decoder, events.reduce(0) { $0 | CInt($1.rawValue) })
        unsafe JxlDecoderSetKeepOrientation(decoder, JXL_TRUE)
        unsafe JxlDecoderSetUnpremultiplyAlpha(decoder, JXL_TRUE)
        append(data)
    }

    deinit {
        unsafe JxlDecoderDestroy(decoder)
        unsafe bytes.deallocate()
    }

    /// Appends bytes of the file.
    func append(_ data: Data) {
        let start = unsafe suppliedByteCount - JxlDecoderReleaseInput(decoder)
        let rest = unsafe UnsafeMutableBufferPointer(rebasing: bytes[start...])
        let joined = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: rest.count + data.count)
        _ = unsafe joined.initialize(from: rest)
        _ = unsafe UnsafeMutableBufferPointer(rebasing: joined[rest.count...]).initialize(from: data)
        unsafe bytes.deallocate()
        unsafe bytes = joined
        suppliedByteCount = 0
        chunkByteCount = max(joined.count / 16, 1 << 16)
    }

    /// Says that no more bytes will be appended.
    func complete() { isComplete = true }

    /// Decodes up to the next event; `nil` at the end. If more bytes may be appended and are needed, the event is
    /// `JXL_DEC_NEED_MORE_INPUT`. Calls `checkCancellation` after each chunk.
    func nextEvent(_ checkCancellation: () throws -> Void = {}) throws -> JxlDecoderStatus? {
        while true {
            try checkCancellation()
            switch unsafe JxlDecoderProcessInput(decoder) {
            case JXL_DEC_NEED_MORE_INPUT: guard try supplyInput() else { return JXL_DEC_NEED_MORE_INPUT }
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

    /// Supplies the next chunk; returns `false` if it has not arrived yet.
    private func supplyInput() throws(ImageError) -> Bool {
        let start = unsafe suppliedByteCount - JxlDecoderReleaseInput(decoder)
        guard unsafe suppliedByteCount < bytes.count else {
            guard !isComplete else {
                throw ImageError(.incomplete, .decode, "the JPEG XL ends before its last pixel")
            }
            supply(start..<suppliedByteCount)
            return false
        }
        supply(start..<(unsafe min(suppliedByteCount + chunkByteCount, bytes.count)))
        return true
    }

    private func supply(_ range: Range<Int>) {
        suppliedByteCount = range.upperBound
        let piece = unsafe UnsafeBufferPointer(rebasing: bytes[range])
        _ = unsafe JxlDecoderSetInput(decoder, piece.baseAddress, piece.count)
        if unsafe isComplete && suppliedByteCount == bytes.count { unsafe JxlDecoderCloseInput(decoder) }
    }
}
