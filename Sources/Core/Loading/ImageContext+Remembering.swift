#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

private enum RemembersFailureKey: ImageContextKey {
    static var defaultValue: (@Sendable (URL, ImageError) -> Bool)? { nil }
    // What is remembered changes no result, so it is no reason for a run of one's own.
    static func cacheKeyFragment(for value: (@Sendable (URL, ImageError) -> Bool)?) -> String? { nil }
}

extension ImageContext {
    /// Decides, in place of the loader, whether a URL that failed is not tried again for a while. `nil` leaves it to the loader.
    ///
    /// Left to the loader, a load with a loader, a coder, modifiers or a decryptor of its own is not remembered; one that was
    /// cancelled or refused never is, and this is not asked. Of callers that share a transfer, the first one decides.
    public var remembersFailure: (@Sendable (URL, ImageError) -> Bool)? {
        get { self[RemembersFailureKey.self] }
        set { self[RemembersFailureKey.self] = newValue }
    }

    /// Whether to remember that `url` failed with `error`; `loader` is asked when the context says nothing.
    func remembers(_ error: ImageError, of url: URL, by loader: (any ImageLoader)?) -> Bool {
        guard ![.cancelled, .refused].contains(error.kind) else { return false }
        if let remembersFailure { return remembersFailure(url, error) }
        // What went wrong with parts of its own may go well for all others.
        guard self.loader == nil, coder == nil, requestModifier == nil, responseModifier == nil, decryptor == nil else {
            return false
        }
        return loader?.remembers(error) ?? false
    }
}
