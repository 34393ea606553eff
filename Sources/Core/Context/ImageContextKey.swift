/// A typed key of an ``ImageContext``.
///
/// Declare a separate type for each value, and an accessor in an extension of ``ImageContext``. The accessor is the
/// interface; the key can stay internal.
public protocol ImageContextKey: SendableMetatype {
    /// The type of the value.
    associatedtype Value: Sendable

    /// The value of a context in which the key is not set.
    static var defaultValue: Value { get }

    /// Returns what `value` affects. The kind of effect must be the same for all values that may change an image.
    ///
    /// There is deliberately no default implementation: with a wrong effect, a cache returns the wrong image. A value
    /// that a loader reads affects the source, even if coders or transformers read it as well. `LoaderContract` in
    /// `DarkroomTestKit` finds loaders that read other values.
    static func effect(of value: Value) -> ContextEffect

    /// Returns the fragment that keeps requests with the same cache key from sharing a run, because one may fail where
    /// another does not.
    ///
    /// The default is `nil`: the fragment of the effect is part of the cache key already. Limits, policies and credentials,
    /// which do not affect the image, return a fragment of their own.
    static func flightFragment(for value: Value) -> String?
}

extension ImageContextKey {
    /// Returns `nil`.
    public static func flightFragment(for value: Value) -> String? { nil }
}
