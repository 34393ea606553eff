/// A typed key of an ``ImageContext``.
///
/// Declare a separate type for each value, and an accessor in an extension of ``ImageContext``. The accessor is the
/// interface; the key can stay internal.
public protocol ImageContextKey {
    /// The type of the value.
    associatedtype Value: Sendable

    /// The value of a context in which the key is not set.
    static var defaultValue: Value { get }

    /// Returns the contribution of `value` to the cache key, such as `FirstFrame(1)`; `nil` if it does not affect the
    /// pixels.
    ///
    /// There is deliberately no default implementation: a missing fragment makes a cache return the wrong image. Format
    /// it like the identifier of a transformer, and return `nil` for the default value.
    static func cacheKeyFragment(for value: Value) -> String?

    /// Returns the fragment that keeps requests with the same cache key from sharing a run, because one may fail where
    /// another does not.
    ///
    /// The default is the cache-key fragment. Limits and policies, which do not affect the pixels, return a fragment of
    /// their own.
    static func flightFragment(for value: Value) -> String?

    /// Returns the contribution of `value` to the cache key of encoded results, such as `Quality(0.800000)`; `nil` if
    /// it does not affect the encoded file.
    ///
    /// The default is `nil`. Options of encoders return a fragment, except for the default value. The cache-key
    /// fragment is part of that key already.
    static func encodingFragment(for value: Value) -> String?

    /// Returns whether a memory lookup depends on `value` other than through the cache key.
    ///
    /// The default is `false`. Return `true` for a value that selects the cache, affects how the key is made, or
    /// determines freshness.
    static func affectsLookup(for value: Value) -> Bool
}

extension ImageContextKey {
    /// Returns `nil`.
    public static func encodingFragment(for value: Value) -> String? { nil }

    /// Returns `false`.
    public static func affectsLookup(for value: Value) -> Bool { false }

    /// Returns the cache-key fragment.
    public static func flightFragment(for value: Value) -> String? { cacheKeyFragment(for: value) }
}

/// The options of a request, as typed values. The same context is passed to every stage of a load.
///
/// Copying a context costs no more than copying a reference. Reading a value is a search, so read it once per stage,
/// not once per pixel.
public struct ImageContext: Sendable {
    private struct Entry: Sendable {
        let key: ObjectIdentifier
        var value: any Sendable
        var cacheKeyFragment: String?
        var flightFragment: String?
        var encodingFragment: String?
        var affectsLookup: Bool
    }

    /// The values that are set and the variant made from them. The variant is computed once, because every cache lookup
    /// needs it.
    private final class Storage: Sendable {
        // There are few entries, so a linear search is faster than hashing.
        let entries: [Entry]
        let variant: Variant
        /// The variant of encoded results, if an encoding option is set.
        let encodedVariant: Variant?
        /// A bit set with one bit for each key. Different keys may have the same bit.
        let keyBits: UInt64
        let hasDefaultLookup: Bool

        init(_ entries: [Entry]) {
            self.entries = entries
            variant = Variant(ImageContext.fragments(of: entries))
            let options = entries.compactMap(\.encodingFragment).sorted()
            encodedVariant = options.isEmpty ? nil : Variant(variant.parts + [ImageContext.encodingPart(options)])
            keyBits = entries.reduce(0) { $0 | ImageContext.bit(of: $1.key) }
            hasDefaultLookup = !entries.contains(where: \.affectsLookup)
        }
    }

    /// `nil` if no value is set.
    private var storage: Storage?

    /// Creates a context with the default values, changed by `configure`.
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
                encodingFragment: Key.encodingFragment(for: newValue),
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

    /// Returns this context with the values of `defaults` for the keys that are not set.
    public func withDefaults(_ defaults: ImageContext) -> ImageContext {
        let own = entries
        let missing = defaults.entries.filter { entry in !own.contains { $0.key == entry.key } }
        guard !missing.isEmpty else { return self }
        var merged = self
        merged.storage = Storage(own + missing)
        return merged
    }

    /// The variant parts of the cache key: the thumbnail, the other fragments in sorted order, and the transformers in
    /// order.
    var variant: Variant { storage?.variant ?? .none }

    /// The variant parts of the cache key of an encoded result: those of the image, and one for the encoding.
    var encodedVariant: Variant { storage?.encodedVariant ?? Variant(variant.parts + [Self.encodingPart([])]) }

    /// Whether no value is set.
    var isEmpty: Bool { storage == nil }

    /// Whether a memory lookup depends on `variant` only.
    var hasDefaultLookup: Bool { storage?.hasDefaultLookup ?? true }

    /// The fragments that two requests must have in common, besides their key, to share a run.
    var flightFragments: [String] { entries.compactMap(\.flightFragment).sorted() }

    private var entries: [Entry] { storage?.entries ?? [] }

    private func value<Key: ImageContextKey>(of key: Key.Type) -> Key.Value? {
        // Most keys are not set in most requests. The bit set shows that without any reference counting.
        guard let storage, storage.keyBits & Self.bit(of: ObjectIdentifier(key)) != 0 else { return nil }
        return Self.value(of: key, in: storage.entries)
    }

    private static func value<Key: ImageContextKey>(of key: Key.Type, in entries: [Entry]) -> Key.Value? {
        for index in entries.indices where entries[index].key == ObjectIdentifier(key) {
            return (entries[index].value as! Key.Value)  // only the subscript creates entries
        }
        return nil
    }

    private static func encodingPart(_ options: [String]) -> String { "Encoded(\(options.joined(separator: ",")))" }

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
