// Closures cannot be compared, so each one that is set gets a unique number.
private enum RequestModifierKey: ImageContextKey {
    static var defaultValue: RequestModifier? { nil }
    static func effect(of value: RequestModifier?) -> ContextEffect { .nothing }
    static func flightFragment(for value: RequestModifier?) -> String? { value.map { _ in .unique("RequestModifier") } }
}

private enum ResponseModifierKey: ImageContextKey {
    static var defaultValue: ResponseModifier? { nil }
    static func effect(of value: ResponseModifier?) -> ContextEffect { .nothing }
    static func flightFragment(for value: ResponseModifier?) -> String? {
        value.map { _ in .unique("ResponseModifier") }
    }
}

private enum DecryptorKey: ImageContextKey {
    static var defaultValue: Decryptor? { nil }
    static func effect(of value: Decryptor?) -> ContextEffect { .nothing }
    static func flightFragment(for value: Decryptor?) -> String? { value.map { _ in .unique("Decryptor") } }
}

extension ImageContext {
    /// The modifier of the request to the loader. Only loads with copies of the same context share a run.
    ///
    /// It replaces the modifiers that wrap the loader. It is not part of the cache key: if it selects different images at the
    /// same URL, use a key filter as well.
    public var requestModifier: RequestModifier? {
        get { self[RequestModifierKey.self] }
        set { self[RequestModifierKey.self] = newValue }
    }

    /// The modifier of each response that the loader receives, in place of those that wrap the loader.
    ///
    /// It is applied before the loader judges status and content type, and so before a retry and before the `decryptor`:
    /// see ``ImageLoader/modifyingResponses(_:)``. Only loads with copies of the same context share a run.
    public var responseModifier: ResponseModifier? {
        get { self[ResponseModifierKey.self] }
        set { self[ResponseModifierKey.self] = newValue }
    }

    /// The decryptor of the response body, in place of those that wrap the loader. Caches store the decrypted bytes. Only loads
    /// with copies of the same context share a run.
    public var decryptor: Decryptor? {
        get { self[DecryptorKey.self] }
        set { self[DecryptorKey.self] = newValue }
    }
}

extension ImageLoader {
    /// Returns this loader with the modifiers and the decryptor of `context`, in place of its own.
    func applying(_ context: ImageContext) -> any ImageLoader {
        var loader: any ImageLoader = self
        if let modify = context.responseModifier {
            // Inside of the wrappers, so that retries see what the modifier makes of a response.
            loader = loader.replacing(.response) { $0.modifyingResponses(modify) }
        }
        if let decryptor = context.decryptor { loader = loader.removing(.decryptor).decrypting(decryptor) }
        if let modify = context.requestModifier { loader = loader.removing(.request).modifyingRequests(modify) }
        return loader
    }

    /// Returns this loader without the wrappers that are a `modifier`.
    private func removing(_ modifier: LoaderModifier) -> any ImageLoader { replacing(modifier) { $0 } }

    /// Returns this loader without the wrappers that are a `modifier`, and with its innermost loader replaced by
    /// `wrap`.
    fileprivate func replacing(
        _ modifier: LoaderModifier, by wrap: (any ImageLoader) -> any ImageLoader
    ) -> any ImageLoader {
        (self as? any LoaderWrapper)?.replacingInWrapper(modifier, by: wrap) ?? wrap(self)
    }
}

extension LoaderWrapper {
    fileprivate func replacingInWrapper(
        _ modifier: LoaderModifier, by wrap: (any ImageLoader) -> any ImageLoader
    ) -> any ImageLoader {
        let inner = base.replacing(modifier, by: wrap)
        if let own = self as? ModifyingLoader<Base>, own.modifier == modifier { return inner }
        return rewrapped(around: inner) ?? wrap(self)
    }
}
