/// A typed key of an `ImageContext`.
///
/// Declare a type of its own for each value, and an accessor in an extension of `ImageContext`:
/// that accessor is the interface, the key can stay internal.
public protocol ImageContextKey {
    /// What the context holds under this key.
    associatedtype Value: Sendable

    /// The value of a context in which the key was never set.
    static var defaultValue: Value { get }

    /// What `value` adds to the cache key, such as `FirstFrame(1)`; `nil` when the pixels are the same with or without it.
    ///
    /// There is no default on purpose: a fragment that was forgotten shows the wrong picture from a cache.
    /// Write it like a transformer's identifier, and answer `nil` for the default value.
    static func cacheKeyFragment(for value: Value) -> String?

    /// What keeps two requests of the same cache key from sharing one run: one may fail where the other does not.
    ///
    /// The default is the cache-key fragment. Limits and policies, which change no pixel, answer something of their own.
    static func flightFragment(for value: Value) -> String?

    /// Whether a look into the memory cache depends on `value` in another way than through the cache key.
    ///
    /// The default is no. Answer yes for a value that chooses the cache, makes the key, or judges freshness.
    static func affectsLookup(for value: Value) -> Bool
}

extension ImageContextKey {
    /// The default: no.
    public static func affectsLookup(for value: Value) -> Bool { false }

    /// The default: the cache-key fragment.
    public static func flightFragment(for value: Value) -> String? { cacheKeyFragment(for: value) }
}

/// Everything a request wants, as typed values; the same context reaches every stage of a load.
///
/// A value that is as cheap to copy as a reference. Take values out once a stage, not once a pixel: a read is a search.
public struct ImageContext: Sendable {
    private struct Entry: Sendable {
        let key: ObjectIdentifier
        var value: any Sendable
        var cacheKeyFragment: String?
        var flightFragment: String?
        var affectsLookup: Bool
    }

    /// What was set, and the variant that is made of it: once, because every look into a cache needs it.
    private final class Storage: Sendable {
        // A few at most: going through them takes less time than making a hash.
        let entries: [Entry]
        let variant: Variant
        /// A bit for each key; other keys may have the same.
        let keyBits: UInt64
        let isPlain: Bool

        init(_ entries: [Entry]) {
            self.entries = entries
            variant = Variant(ImageContext.fragments(of: entries))
            keyBits = entries.reduce(0) { $0 | ImageContext.bit(of: $1.key) }
            isPlain = !entries.contains(where: \.affectsLookup)
        }
    }

    /// `nil` when nothing was set.
    private var storage: Storage?

    /// A context in which `configure` has set what differs from the defaults.
    public init(_ configure: (inout Self) -> Void = { _ in }) { configure(&self) }

    /// The value of `key`, or its default.
    public subscript<Key: ImageContextKey>(key: Key.Type) -> Key.Value {
        get { self.value(of: key) ?? Key.defaultValue }
        set {
            let entry = Entry(
                key: ObjectIdentifier(key),
                value: newValue,
                cacheKeyFragment: Key.cacheKeyFragment(for: newValue),
                flightFragment: Key.flightFragment(for: newValue),
                affectsLookup: Key.affectsLookup(for: newValue)
            )
            var entries = entries
            if let index = entries.firstIndex(where: { $0.key == entry.key }) {
                entries[index] = entry
            } else {
                entries.append(entry)
            }
            storage = Storage(entries)
        }
    }

    /// This context, with the values of `defaults` for the keys that were never set.
    public func withDefaults(_ defaults: ImageContext) -> ImageContext {
        guard defaults.storage != nil else { return self }
        let keys = Set(entries.map(\.key))
        var merged = self
        merged.storage = Storage(entries + defaults.entries.filter { !keys.contains($0.key) })
        return merged
    }

    /// The parts of the cache key's variant: thumbnail, other fragments sorted, transformers in order.
    var variant: Variant { storage?.variant ?? .none }

    /// Whether nothing was set.
    var isEmpty: Bool { storage == nil }

    /// Whether a look into memory depends on `variant` alone.
    var isPlain: Bool { storage?.isPlain ?? true }

    /// What two requests must have in common, besides their key, to share a run.
    var flightFragments: [String] { entries.compactMap(\.flightFragment).sorted() }

    private var entries: [Entry] { storage?.entries ?? [] }

    private func value<Key: ImageContextKey>(of key: Key.Type) -> Key.Value? {
        // Most keys of most requests are not set, which this tells without touching what is counted.
        guard let storage, storage.keyBits & Self.bit(of: ObjectIdentifier(key)) != 0 else { return nil }
        return Self.value(of: key, in: storage.entries)
    }

    private static func value<Key: ImageContextKey>(of key: Key.Type, in entries: [Entry]) -> Key.Value? {
        for index in entries.indices where entries[index].key == ObjectIdentifier(key) {
            return (entries[index].value as! Key.Value)  // only the subscript makes entries
        }
        return nil
    }

    private static func bit(of key: ObjectIdentifier) -> UInt64 {
        1 << ((UInt64(UInt(bitPattern: key)) &* 0x9E37_79B9_7F4A_7C15) >> 58)
    }

    private static func fragments(of entries: [Entry]) -> [String] {
        let thumbnail = entries.first { $0.key == ObjectIdentifier(ThumbnailKey.self) }?.cacheKeyFragment
        let others = entries.filter { $0.key != ObjectIdentifier(ThumbnailKey.self) }.compactMap(\.cacheKeyFragment)
        let transformers = value(of: TransformersKey.self, in: entries) ?? []
        return [thumbnail].compactMap(\.self) + others.sorted() + transformers.map(\.identifier)
    }
}
