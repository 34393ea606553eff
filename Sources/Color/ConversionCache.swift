import DarkroomCore
import Synchronization

/// The conversions used last, because pictures of one origin mostly share a profile.
final class ConversionCache: Sendable {
    private static let countLimit = 8
    private static let byteLimit = 8 << 20

    /// Those used last come last.
    private let entries = Mutex<[CachedConversion]>([])

    /// The conversion from `source`, made unless it is at hand; `nil` for sRGB.
    func conversion(from source: ColorSource) throws(ImageError) -> (any RowConversion & Sendable)? {
        if let entry = entries.withLock({ $0.use(source) }) { return entry.conversion }
        let entry = CachedConversion(source: source, conversion: try source.makeConversion())
        entries.withLock { entries in
            guard entries.use(source) == nil else { return }
            entries.append(entry)
            while entries.count > Self.countLimit || entries.byteCount > Self.byteLimit { entries.removeFirst() }
        }
        return entry.conversion
    }

    /// How many are at hand.
    var count: Int { entries.withLock { $0.count } }
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
