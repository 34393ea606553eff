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
}

extension ImageContextKey {
    /// The default: the cache-key fragment.
    public static func flightFragment(for value: Value) -> String? { cacheKeyFragment(for: value) }
}

/// Everything a request wants, as typed values; the same context reaches every stage of a load.
///
/// Take values out once a stage, not once a pixel: a read is a search.
public struct ImageContext: Sendable {
    private struct Entry: Sendable {
        let key: ObjectIdentifier
        var value: any Sendable
        var cacheKeyFragment: String?
        var flightFragment: String?
    }

    // A few at most: going through them takes less time than making a hash.
    private var entries: [Entry] = []

    /// A context in which `configure` has set what differs from the defaults.
    public init(_ configure: (inout Self) -> Void = { _ in }) { configure(&self) }

    /// The value of `key`, or its default.
    public subscript<Key: ImageContextKey>(key: Key.Type) -> Key.Value {
        get {
            guard let index = index(of: ObjectIdentifier(key)) else { return Key.defaultValue }
            return entries[index].value as! Key.Value  // only this subscript writes entries
        }
        set {
            let entry = Entry(
                key: ObjectIdentifier(key),
                value: newValue,
                cacheKeyFragment: Key.cacheKeyFragment(for: newValue),
                flightFragment: Key.flightFragment(for: newValue)
            )
            if let index = index(of: entry.key) { entries[index] = entry } else { entries.append(entry) }
        }
    }

    /// This context, with the values of `defaults` for the keys that were never set.
    public func withDefaults(_ defaults: ImageContext) -> ImageContext {
        guard !defaults.entries.isEmpty else { return self }
        var merged = self
        merged.entries += defaults.entries.filter { index(of: $0.key) == nil }
        return merged
    }

    /// The parts of the cache key's variant: thumbnail, other fragments sorted, transformers in order.
    var variant: [String] {
        guard !entries.isEmpty else { return [] }
        var fragments: [String] = []
        let thumbnail = index(of: ObjectIdentifier(ThumbnailKey.self))
        for index in entries.indices where index != thumbnail {
            if let fragment = entries[index].cacheKeyFragment { fragments.append(fragment) }
        }
        if fragments.count > 1 { fragments.sort() }
        if let fragment = thumbnail.flatMap({ entries[$0].cacheKeyFragment }) { fragments.insert(fragment, at: 0) }
        for transformer in transformers { fragments.append(transformer.identifier) }
        return fragments
    }

    /// What two requests must have in common, besides their key, to share a run.
    var flightFragments: [String] {
        entries.compactMap(\.flightFragment).sorted()
    }

    private func index(of key: ObjectIdentifier) -> Int? {
        for index in entries.indices where entries[index].key == key { return index }
        return nil
    }
}
