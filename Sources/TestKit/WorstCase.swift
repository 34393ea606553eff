public import DarkroomCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A file that makes a coder work as long as its bytes allow: of many small parts, of fill bytes, of pixels that never come.
public struct WorstCase: Sendable {
    /// What it is made of.
    public let name: String

    /// Whether its cost is that of its pixels, which are many however few bytes there are.
    public let isLarge: Bool

    private let make: @Sendable (Int) -> Data

    /// The file, of about `byteCount` bytes.
    public func data(byteCount: Int) -> Data { make(byteCount) }

    /// All cases of `format`; none of a format that there are none of.
    public static func all(of format: ImageFormat) -> [WorstCase] {
        switch format {
        case .jpeg: jpeg
        case .png: png
        case .gif: gif
        case .webp: webp
        default: []
        }
    }

    init(_ name: String, isLarge: Bool = false, _ make: @escaping @Sendable (_ byteCount: Int) -> Data) {
        self.name = name
        self.isLarge = isLarge
        self.make = make
    }

    /// A file that is `head`, then `unit` as often as there is room, then `tail`.
    init(_ name: String, _ head: [UInt8], filledWith unit: [UInt8], _ tail: [UInt8] = []) {
        self.init(name) { byteCount in
            let room = byteCount - head.count - tail.count
            return Data(head) + Data(repeating: unit, byteCount: room) + Data(tail)
        }
    }
}

extension Data {
    /// `unit` as often as it fits into `byteCount` bytes, at least once.
    init(repeating unit: [UInt8], byteCount: Int) {
        var bytes = Data(unit)
        let count = Swift.max(byteCount / unit.count, 1) * unit.count
        bytes.reserveCapacity(count)
        while bytes.count < count { bytes.append(bytes.prefix(count - bytes.count)) }
        self = bytes
    }
}

/// Bits in the order in which deflate, GIF and others have them: the first is the lowest of its byte.
struct LowBitsFirst {
    private(set) var bits: [UInt8] = []

    /// Adds the lowest `count` bits of `number`, the lowest first.
    mutating func add(_ number: Int, _ count: Int) {
        for bit in 0..<count { bits.append(UInt8(number >> bit & 1)) }
    }

    /// The bytes of the bits, eight times over, which makes whole ones.
    var bytesOfEight: [UInt8] {
        let all = (0..<8).flatMap { _ in bits }
        return stride(from: 0, to: all.count, by: 8).map { start in
            all[start..<(start + 8)].reversed().reduce(0) { $0 << 1 | $1 }
        }
    }
}
