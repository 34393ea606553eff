import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The data source of giflib: the header of a file followed by a single frame, as if there were no others.
final class GIFSource {
    private let data: Data
    private let headerEnd: Data.Index
    private let frameStart: Data.Index
    private var position: Data.Index
    private var isExhausted = false
    private let checkCancellation: () throws -> Void
    /// The position of the next call of `checkCancellation`. A single row may consume all bytes, and take a hundred
    /// times as long.
    private var nextCheck: Data.Index
    private var stopped: (any Error)?

    /// Provides the first `headerByteCount` bytes of `data` and then those from `frameOffset` on, until
    /// `checkCancellation` throws.
    init(_ data: Data, headerByteCount: Int, frameOffset: Int, checkCancellation: @escaping () throws -> Void) {
        self.data = data
        self.checkCancellation = checkCancellation
        nextCheck = data.startIndex + frameOffset + Self.checkedByteCount
        position = data.startIndex
        headerEnd = data.startIndex + headerByteCount
        frameStart = data.startIndex + frameOffset
    }

    private static let checkedByteCount = 1 << 16

    /// Copies up to `count` bytes to `bytes` and returns the number copied. A read does not cross the end of the
    /// header.
    func read(into bytes: UnsafeMutablePointer<UInt8>, count: Int) -> Int {
        if position == headerEnd { position = frameStart }
        guard shouldContinue() else { return 0 }
        let bound = position < headerEnd ? headerEnd : data.endIndex
        let end = position + min(count, bound - position)
        isExhausted = isExhausted || end - position < count
        let offset = position - data.startIndex
        // For a block of few bytes, `copyBytes` takes longer than decompression.
        unsafe data.withUnsafeBytes { file in
            unsafe UnsafeMutableRawBufferPointer(start: bytes, count: end - position)
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: file[offset..<(offset + end - position)]))
        }
        defer { position = end }
        return end - position
    }

    /// Returns the reason why giflib failed: cancellation, missing data or corrupt data.
    func failure(reading part: String) -> any Error {
        if let stopped { return stopped }
        return isExhausted ? ImageError.truncatedGIF : ImageError(.corrupt, .decode, "the GIF has a corrupt \(part)")
    }

    private func shouldContinue() -> Bool {
        guard position >= nextCheck else { return stopped == nil }
        nextCheck = position + Self.checkedByteCount
        do {
            try checkCancellation()
        } catch {
            stopped = error
        }
        return stopped == nil
    }
}
