import Synchronization

/// The options of a request, as typed values. The same context is passed to every stage of a load.
///
/// Copying a context costs no more than copying a reference. Reading a value is a search, so read it once per stage,
/// not once per pixel.
public struct ImageContext: Sendable {
    private struct Entry: Sendable {
        let type: any ImageContextKey.Type
        var value: any Sendable
        var effect: ContextEffect
        var flightFragment: String?

        var key: ObjectIdentifier { ObjectIdentifier(type) }
    }

    /// A function that is called with each key that is read, and the effect of its value.
    package typealias ReadObserver = @Sendable (any ImageContextKey.Type, ContextEffect) -> Void

    /// The variants of keys, as the values that are set determine them.
    private final class Variants: Sendable {
        /// That of results.
        let result: Variant
        /// That of originals.
        let source: Variant
        /// That of encoded results, if an encoding option is set.
        let encoded: Variant?

        init(_ entries: [Entry]) {
            let sourceParts = entries.compactMap(\.effect.sourceFragment).sorted().map(CacheKey.sourcePart)
            source = sourceParts.isEmpty ? .none : Variant(sourceParts)
            result = Variant(sourceParts + ImageContext.fragments(of: entries))
            let options = entries.compactMap(\.effect.fileFragment).sorted()
            encoded = options.isEmpty ? nil : Variant(result.parts + [ImageContext.encodingPart(options)])
        }
    }

    /// The values that are set, and what is derived from them.
    private final class Storage: Sendable {
        // There are few entries, so a linear search is faster than hashing.
        let entries: [Entry]
        let readObserver: ReadObserver?
        /// A bit set with one bit for each key. Different keys may have the same bit.
        let keyBits: UInt64
        let hasDefaultLookup: Bool
        private let lazyVariants = AtomicLazyReference<Variants>()

        init(_ entries: [Entry], readObserver: ReadObserver?) {
            self.entries = entries
            self.readObserver = readObserver
            // A key without a bit is not searched for, and so its reading would not be observed.
            keyBits = readObserver == nil ? entries.reduce(0) { $0 | ImageContext.bit(of: $1.key) } : .max
            hasDefaultLookup = !entries.contains { $0.effect == .lookup }
        }

        /// Computed once, because every cache lookup needs them, but not before the first one: more values may be set.
        var variants: Variants { lazyVariants.load() ?? lazyVariants.storeIfNil(Variants(entries)) }
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
                type: key,
                value: newValue,
                effect: Key.effect(of: newValue),
                flightFragment: Key.flightFragment(for: newValue)
            )
            var entries = entries
            if let index = entries.firstIndex(where: { $0.key == entry.key }) {
                entries[index] = entry
            } else {
                entries.append(entry)
            }
            storage = Storage(entries, readObserver: storage?.readObserver)
        }
    }

    /// Returns this context with the values of `defaults` for the keys that are not set.
    public func withDefaults(_ defaults: ImageContext) -> ImageContext {
        let own = entries
        let missing = defaults.entries.filter { entry in !own.contains { $0.key == entry.key } }
        guard !missing.isEmpty else { return self }
        var merged = self
        merged.storage = Storage(own + missing, readObserver: storage?.readObserver)
        return merged
    }

    /// Returns the same context, which calls `observer` whenever one of its values is read, set or not.
    package func observingReads(_ observer: @escaping ReadObserver) -> ImageContext {
        var observed = self
        observed.storage = Storage(entries, readObserver: observer)
        return observed
    }

    /// The variant parts of the cache key: those of the source, the thumbnail, the other fragments in sorted order, and the
    /// transformers in order.
    var variant: Variant { storage?.variants.result ?? .none }

    /// The variant parts of the cache key of the original.
    var sourceVariant: Variant { storage?.variants.source ?? .none }

    /// Whether the result differs from the original.
    var isVariant: Bool { variant.parts.count > sourceVariant.parts.count }

    /// The variant parts of the cache key of an encoded result: those of the image, and one for the encoding.
    var encodedVariant: Variant { storage?.variants.encoded ?? Variant(variant.parts + [Self.encodingPart([])]) }

    /// Returns whether a value other than those of `keys` affects the file of an encoded result.
    func hasFileOption(except keys: [any ImageContextKey.Type]) -> Bool {
        entries.contains { entry in
            entry.effect.fileFragment != nil && !keys.contains { ObjectIdentifier($0) == entry.key }
        }
    }

    /// Whether no value is set.
    var isEmpty: Bool { storage == nil }

    /// Whether a memory lookup depends on `variant` only.
    var hasDefaultLookup: Bool { storage?.hasDefaultLookup ?? true }

    /// The fragments that two requests must have in common, besides their key, to share a run.
    var flightFragments: [String] { entries.compactMap(\.flightFragment).sorted() }

    /// The flight fragments of values that affect only how the original is loaded, such as credentials and limits.
    var transferFragments: [String] {
        entries.compactMap { $0.effect == .nothing ? $0.flightFragment : nil }.sorted()
    }

    private var entries: [Entry] { storage?.entries ?? [] }

    /// The value of `key`; `nil` if it is not set.
    func value<Key: ImageContextKey>(of key: Key.Type) -> Key.Value? {
        // Most keys are not set in most requests. The bit set shows that without any reference counting.
        guard let storage, storage.keyBits & Self.bit(of: ObjectIdentifier(key)) != 0 else { return nil }
        let value = Self.value(of: key, in: storage.entries)
        storage.readObserver?(key, Key.effect(of: value ?? Key.defaultValue))
        return value
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
        let thumbnail = entries.first { $0.key == ObjectIdentifier(ThumbnailKey.self) }?.effect.resultFragment
        let others = entries.filter { $0.key != ObjectIdentifier(ThumbnailKey.self) }
            .compactMap(\.effect.resultFragment)
        let transformers = value(of: TransformersKey.self, in: entries) ?? []
        return [thumbnail].compactMap(\.self) + others.sorted() + transformers.map(\.identifier)
    }
}

extension ImageContext: CustomStringConvertible {
    /// The values that are set, such as `ImageContext(Limits, Thumbnail({180.000000,120.000000},1))`: those that are part of
    /// a cache key with their fragment, and others, which may be secret, by the name of their key.
    public var description: String {
        let values = entries.map { entry in
            let effect = entry.effect
            let fragment = effect.sourceFragment ?? effect.resultFragment ?? effect.fileFragment
            return fragment ?? Self.name(of: entry.type)
        }
        return "ImageContext(\(values.sorted().joined(separator: ", ")))"
    }

    /// Returns the name of a key without the suffix `Key`.
    private static func name(of key: any ImageContextKey.Type) -> String {
        let name = "\(key)"
        return name.hasSuffix("Key") ? String(name.dropLast(3)) : name
    }
}
