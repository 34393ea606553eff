public import DarkroomCore
public import DarkroomPlatform

/// A file that takes a coder as long as possible for its size: many small parts, fill bytes, or data without pixels.
public struct WorstCase: Sendable {
    /// The composition of the file, for messages.
    public let name: String

    /// Whether the cost depends on the number of pixels, which is large whatever the size of the file.
    public let isLarge: Bool

    private let make: @Sendable (Int) -> Data

    /// Returns the file, of about `byteCount` bytes.
    public func data(byteCount: Int) -> Data { make(byteCount) }

    /// Returns all cases of `format`; none for a format that is not known here.
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

    /// Creates a case that consists of `head`, as many repetitions of `unit` as fit, and `tail`.
    init(_ name: String, head: [UInt8], filledWith unit: [UInt8], tail: [UInt8]) {
        self.init(name) { byteCount in
            let room = byteCount - head.count - tail.count
            return Data(head) + Data(repeating: unit, byteCount: room) + Data(tail)
        }
    }
}

extension Data {
    /// Creates as many repetitions of `unit` as fit into `byteCount` bytes, at least one.
    init(repeating unit: [UInt8], byteCount: Int) {
        var bytes = Data(unit)
        let count = Swift.max(byteCount / unit.count, 1) * unit.count
        bytes.reserveCapacity(count)
        while bytes.count < count { bytes.append(bytes.prefix(count - bytes.count)) }
        self = bytes
    }
}

/// Bits in the order of deflate and GIF: the first one is the least significant of its byte.
struct LowBitsFirst {
    private(set) var bits: [UInt8] = []

    /// Adds the lowest `count` bits of `number`, the lowest first.
    mutating func add(_ number: Int, bitCount count: Int) {
        for bit in 0..<count { bits.append(UInt8(number >> bit & 1)) }
    }

    /// The bytes of the bits repeated eight times, which gives complete bytes.
    var bytesOfEight: [UInt8] {
        let all = (0..<8).flatMap { _ in bits }
        return stride(from: 0, to: all.count, by: 8).map { start in
            all[start..<(start + 8)].reversed().reduce(0) { $0 << 1 | $1 }
        }
    }
}
