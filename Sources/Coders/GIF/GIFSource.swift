import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The bytes that giflib asks for: the header of a file, and behind it one frame, as if there were no other.
final class GIFSource {
    private let data: Data
    private let headerEnd: Data.Index
    private let frameStart: Data.Index
    private var position: Data.Index
    private var isExhausted = false
    private let checkCancellation: () throws -> Void
    /// Where `checkCancellation` is called again: a row may take all the bytes that there are, and a hundred times as long.
    private var nextCheck: Data.Index
    private var stopped: (any Error)?

    /// The first `headerByteCount` bytes of `data`, then those from `frameOffset` on, for as long as `checkCancellation`
    /// throws nothing.
    init(_ data: Data, headerByteCount: Int, frameOffset: Int, checkCancellation: @escaping () throws -> Void) {
        self.data = data
        self.checkCancellation = checkCancellation
        nextCheck = data.startIndex + frameOffset + Self.checkedByteCount
        position = data.startIndex
        headerEnd = data.startIndex + headerByteCount
        frameStart = data.startIndex + frameOffset
    }

    private static let checkedByteCount = 1 << 16

    /// Writes the next `count` bytes to `bytes`, or as many as there are, and answers how many; none go over the header's end.
    func read(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int {
        if position == headerEnd { position = frameStart }
        guard mayGoOn() else { return 0 }
        let bound = position < headerEnd ? headerEnd : data.endIndex
        let end = position + min(count, bound - position)
        isExhausted = isExhausted || end - position < count
        let offset = position - data.startIndex
        // `copyBytes` takes longer than unpacking a block of few bytes.
        unsafe data.withUnsafeBytes { file in
            unsafe UnsafeMutableRawBufferPointer(start: bytes, count: end - position)
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: file[offset..<(offset + end - position)]))
        }
        defer { position = end }
        return end - position
    }

    /// Why giflib gave up: because it was told to, for want of bytes, or because of those it got.
    func failure(_ part: String) -> any Error {
        if let stopped { return stopped }
        return isExhausted ? ImageError.endOfGIF : ImageError(.corrupt, .decode, "the GIF's \(part) cannot be decoded")
    }

    private func mayGoOn() -> Bool {
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
