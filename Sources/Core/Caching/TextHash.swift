/// A hash of texts for in-memory tables. It differs between processes.
///
/// Keys are hashed at every cache lookup, and Swift's `Hasher` would take a third of the time of one. This hash
/// multiplies and folds like wyhash (https://github.com/wangyi-fudan/wyhash). Collisions cannot be predicted without
/// the seeds.
struct TextHash {
    private static let seeds = (seed(), seed(), seed())

    private(set) var value: UInt64

    /// Creates the hash of no texts.
    init() { value = Self.seeds.0 }

    /// Adds `text` and its end, so that `ab`, `c` differs from `a`, `bc`.
    mutating func add(_ text: String) {
        let isAdded: Void? = unsafe text.utf8.withContiguousStorageIfAvailable {
            unsafe add(UnsafeRawBufferPointer($0))
        }
        guard isAdded == nil else { return }
        var native = text
        native.makeContiguousUTF8()
        add(native)
    }

    /// Adds the hash of other texts.
    mutating func add(_ other: TextHash) { value = Self.fold(value ^ Self.seeds.1, other.value ^ Self.seeds.2) }

    private mutating func add(_ bytes: UnsafeRawBufferPointer) {
        let (_, first, second) = Self.seeds
        var hash = value ^ UInt64(truncatingIfNeeded: bytes.count)
        var offset = 0
        while offset + 16 <= bytes.count {
            let one = unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            let two = unsafe bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)
            hash = Self.fold(one ^ first, two ^ hash)
            offset += 16
        }
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[offset...])
        let (one, two) = unsafe Self.ends(of: rest)
        value = Self.fold(one ^ second, two ^ hash)
    }

    /// Returns up to 15 bytes in two words. Some bytes are included twice, where that is faster.
    private static func ends(of bytes: UnsafeRawBufferPointer) -> (UInt64, UInt64) {
        let count = bytes.count
        if count >= 8 {
            return unsafe (
                bytes.loadUnaligned(as: UInt64.self),
                bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
            )
        }
        if count >= 4 {
            return unsafe (
                UInt64(bytes.loadUnaligned(as: UInt32.self)),
                UInt64(bytes.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self))
            )
        }
        guard count > 0 else { return (0, 0) }
        return unsafe (UInt64(bytes[0]) << 8 | UInt64(bytes[count / 2]), UInt64(bytes[count - 1]))
    }

    private static func fold(_ one: UInt64, _ other: UInt64) -> UInt64 {
        let product = one.multipliedFullWidth(by: other)
        return product.high ^ product.low
    }

    private static func seed() -> UInt64 { .random(in: .min ... .max) }
}
