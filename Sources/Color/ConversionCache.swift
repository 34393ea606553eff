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

    /// Returns the conversion from `source` to `space`, creating it if it is not cached; `nil` for that space.
    func conversion(
        from source: ColorSource, to space: OutputColorSpace = .sRGB
    ) throws(ImageError) -> (any RowConversion & Sendable)? {
        try entry(of: source, space).conversion
    }

    /// Returns whether `source` has colours beyond sRGB.
    func hasWideColors(_ source: ColorSource) throws(ImageError) -> Bool {
        try entry(of: source, .displayP3).hasWideColors
    }

    private func entry(of source: ColorSource, _ space: OutputColorSpace) throws(ImageError) -> CachedConversion {
        if let entry = entries.withLock({ $0.use(source, space) }) { return entry }
        let entry = CachedConversion(
            source: source, space: space, conversion: try source.makeConversion(to: space),
            hasWideColors: try space == .sRGB ? false : source.hasWideColors())
        entries.withLock { entries in
            guard source.byteCount <= byteLimit, entries.use(source, space) == nil else { return }
            entries.append(entry)
            while entries.count > countLimit || entries.byteCount > byteLimit { entries.removeFirst() }
        }
        return entry
    }

    /// The sources of the cached conversions, with the most recently used one last.
    var sources: [ColorSource] { entries.withLock { $0.map(\.source) } }
}

private struct CachedConversion: Sendable {
    let source: ColorSource
    let space: OutputColorSpace
    let conversion: (any RowConversion & Sendable)?
    /// Whether the source has colours beyond sRGB; unknown for conversions to it.
    let hasWideColors: Bool
}

extension [CachedConversion] {
    fileprivate var byteCount: Int { reduce(0) { $0 + $1.source.byteCount } }

    /// Returns the entry of `source` and `space`, and moves it to the end.
    fileprivate mutating func use(_ source: ColorSource, _ space: OutputColorSpace) -> Element? {
        guard let index = firstIndex(where: { $0.source == source && $0.space == space }) else { return nil }
        let entry = remove(at: index)
        append(entry)
        return entry
    }
}
