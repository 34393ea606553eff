import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Reads bytes in order; to run out of them is an error of kind `incomplete`.
struct GIFBytes {
    private let data: Data
    private var position: Data.Index

    init(_ data: Data) {
        self.data = data
        position = data.startIndex
    }

    mutating func byte() throws(ImageError) -> UInt8 {
        guard position < data.endIndex else { throw .endOfGIF }
        defer { position += 1 }
        return data[position]
    }

    /// A number of two bytes, the lower one first.
    mutating func number() throws(ImageError) -> Int {
        let low = try byte()
        return Int(low) | Int(try byte()) << 8
    }

    mutating func skip(_ count: Int) throws(ImageError) {
        guard count <= data.endIndex - position else { throw .endOfGIF }
        position += count
    }

    /// The bytes of the next sub-block; `nil` for the empty one that ends a chain.
    mutating func subBlock() throws(ImageError) -> [UInt8]? {
        let count = Int(try byte())
        let start = position
        try skip(count)
        return count == 0 ? nil : [UInt8](data[start..<position])
    }

    /// Goes over the rest of a chain of sub-blocks.
    mutating func skipSubBlocks() throws(ImageError) {
        while case let count = Int(try byte()), count > 0 { try skip(count) }
    }
}

extension ImageError {
    /// The bytes end before the GIF does.
    static let endOfGIF = ImageError(.incomplete, .decode, "the GIF ends too early")
}
