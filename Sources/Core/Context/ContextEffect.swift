/// The effect of a value of an ``ImageContextKey``, which determines the cache keys that contain it.
///
/// The fragment is the contribution to those keys, such as `Palette(warm)`, formatted like the identifier of a
/// transformer. It is `nil` for the default value, with which the keys are those of a context without the value.
public enum ContextEffect: Hashable, Sendable {
    /// The bytes that a loader returns: a tenant, the palette of a generator, the quality that is requested of an image
    /// server. The fragment is part of the key of the original, and so of everything made from it.
    ///
    /// Originals with different fragments share no transfer, no cache entry and no remembered failure.
    case source(String?)

    /// The image that is made from the original: a colour in which a coder draws, an option of a transformer. The fragment
    /// is part of the key of the result, and of files made from it.
    case result(String?)

    /// Only the file of an encoded result: an option of an encoder.
    case file(String?)

    /// No image, but the way in which caches are searched: the value selects a cache, the source of the key, or the
    /// freshness.
    case lookup

    /// Neither an image nor the way in which caches are searched: a limit, a priority, a credential for the same image.
    case nothing

    /// The fragment in the key of the original.
    var sourceFragment: String? { if case .source(let fragment) = self { fragment } else { nil } }

    /// The fragment in the keys of results.
    var resultFragment: String? { if case .result(let fragment) = self { fragment } else { nil } }

    /// The fragment in the keys of encoded results.
    var fileFragment: String? { if case .file(let fragment) = self { fragment } else { nil } }
}
