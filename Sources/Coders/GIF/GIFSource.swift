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

    /// The first `headerByteCount` bytes of `data`, then those from `frameOffset` on.
    init(_ data: Data, headerByteCount: Int, frameOffset: Int) {
        self.data = data
        position = data.startIndex
        headerEnd = data.startIndex + headerByteCount
        frameStart = data.startIndex + frameOffset
    }

    /// Writes the next `count` bytes to `bytes`, or as many as there are, and answers how many; none go over the header's end.
    func read(_ bytes: UnsafeMutablePointer<UInt8>, _ count: Int) -> Int {
        if position == headerEnd { position = frameStart }
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

    /// Why giflib gave up: for want of bytes, or because of those it got.
    func failure(_ part: String) -> ImageError {
        isExhausted ? .endOfGIF : ImageError(.corrupt, .decode, "the GIF's \(part) cannot be decoded")
    }
}
