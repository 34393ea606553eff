import DarkroomCore
import Synchronization

/// A cache of the most recently used conversions. Images from the same origin usually share a profile.
final class ConversionCache: Sendable {
    private let countLimit: Int
    private let byteLimit: Int
    /// The entries, with the most recently used one last.
    private let entries = Mutex<[CachedConversion]>([])

    /// Creates a cache of at most `countLimit` conversions, whose profiles take at most `byteLimit` bytes.
    init(countLimit: Int = 8, byteLimit: Int = 8 << 20) {
        self.countLimit = countLimit
        self.byteLimit = byteLimit
    }

    /// Returns the conversion from `source`, creating it if it is not cached; `nil` for sRGB.
    func conversion(from source: ColorSource) throws(ImageError) -> (any RowConversion & Sendable)? {
        if let entry = entries.withLock({ $0.use(source) }) { return entry.conversion }
        let entry = CachedConversion(source: source, conversion: try source.makeConversion())
        entries.withLock { entries in
            guard source.byteCount <= byteLimit, entries.use(source) == nil else { return }
            entries.append(entry)
            while entries.count > countLimit || entries.byteCount > byteLimit { entries.removeFirst() }
        }
        return entry.conversion
    }

    /// The sources of the cached conversions, with the most recently used one last.
    var sources: [ColorSource] { entries.withLock { $0.map(\.source) } }
}

private struct CachedConversion: Sendable {
    let source: ColorSource
    let conversion: (any RowConversion & Sendable)?
}

extension [CachedConversion] {
    fileprivate var byteCount: Int { reduce(0) { $0 + $1.source.byteCount } }

    /// Returns the entry of `source`, and moves it to the end.
    fileprivate mutating func use(_ source: ColorSource) -> Element? {
        guard let index = firstIndex(where: { $0.source == source }) else { return nil }
        let entry = remove(at: index)
        append(entry)
        return entry
    }
}
