#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The bytes of a file, which libtiff reads or writes at any position.
final class TIFFStream {
    /// Whether bytes beyond the end were requested.
    private(set) var isReadBeyondEnd = false

    /// Whether more bytes were written than allowed.
    private(set) var isTooLong = false

    /// The bytes.
    private(set) var data: Data

    private let byteLimit: Int
    private var position = 0

    /// Creates a stream of `data`, which may grow to `byteLimit` bytes.
    init(_ data: Data = Data(), byteLimit: Int = 0) {
        self.data = data
        self.byteLimit = byteLimit
    }

    /// The number of bytes.
    var count: Int { data.count }

    /// Copies the next bytes to `target`, and returns their number.
    func read(_ target: UnsafeMutableRawBufferPointer) -> Int {
        let byteCount = min(max(data.count - position, 0), target.count)
        if byteCount < target.count { isReadBeyondEnd = true }
        guard byteCount > 0 else { return 0 }
        let start = data.startIndex + position
        unsafe data.copyBytes(to: target, from: start..<(start + byteCount))
        position += byteCount
        return byteCount
    }

    /// Writes `bytes`, and returns their number, or 0 if there would be too many.
    func write(_ bytes: UnsafeRawBufferPointer) -> Int {
        let (end, overflow) = position.addingReportingOverflow(bytes.count)
        guard !overflow, end <= byteLimit else {
            isTooLong = true
            return 0
        }
        if end > data.count { data.append(Data(count: end - data.count)) }
        unsafe data.replaceSubrange(position..<end, with: bytes)
        position = end
        return bytes.count
    }

    /// Moves to `offset` from the start, the current position or the end, if `origin` is 0, 1 or 2, and returns the new
    /// position; `nil` if it is invalid.
    func seek(_ offset: UInt64, from origin: CInt) -> UInt64? {
        let start = origin == 0 ? 0 : origin == 1 ? position : data.count
        let (sum, overflow) = start.addingReportingOverflow(Int(truncatingIfNeeded: offset))
        guard !overflow, sum >= 0 else { return nil }
        position = sum
        return UInt64(sum)
    }
}
