import DarkroomCore
import Synchronization

/// The conversions used last, because pictures of one origin mostly share a profile.
final class ConversionCache: Sendable {
    private let countLimit: Int
    private let byteLimit: Int
    /// Those used last come last.
    private let entries = Mutex<[CachedConversion]>([])

    /// A cache of that many conversions, whose profiles take no more bytes than that.
    init(countLimit: Int = 8, byteLimit: Int = 8 << 20) {
        self.countLimit = countLimit
        self.byteLimit = byteLimit
    }

    /// The conversion from `source`, made unless it is at hand; `nil` for sRGB.
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

    /// What conversions are at hand from; those used last come last.
    var sources: [ColorSource] { entries.withLock { $0.map(\.source) } }
}

private struct CachedConversion: Sendable {
    let source: ColorSource
    let conversion: (any RowConversion & Sendable)?
}

extension [CachedConversion] {
    fileprivate var byteCount: Int { reduce(0) { $0 + $1.source.byteCount } }

    /// The entry of `source`, moved to the end.
    fileprivate mutating func use(_ source: ColorSource) -> Element? {
        guard let index = firstIndex(where: { $0.source == source }) else { return nil }
        let entry = remove(at: index)
        append(entry)
        return entry
    }
}
