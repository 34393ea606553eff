// Closures cannot be compared, so each one that is set gets a unique number.
private enum RequestModifierKey: ImageContextKey {
    static var defaultValue: RequestModifier? { nil }
    static func cacheKeyFragment(for value: RequestModifier?) -> String? { nil }
    static func flightFragment(for value: RequestModifier?) -> String? { value.map { _ in .unique("RequestModifier") } }
}

private enum ResponseModifierKey: ImageContextKey {
    static var defaultValue: ResponseModifier? { nil }
    static func cacheKeyFragment(for value: ResponseModifier?) -> String? { nil }
    static func flightFragment(for value: ResponseModifier?) -> String? {
        value.map { _ in .unique("ResponseModifier") }
    }
}

private enum DecryptorKey: ImageContextKey {
    static var defaultValue: Decryptor? { nil }
    static func cacheKeyFragment(for value: Decryptor?) -> String? { nil }
    static func flightFragment(for value: Decryptor?) -> String? { value.map { _ in .unique("Decryptor") } }
}

extension ImageContext {
    /// The modifier of the request to the loader. Only loads with copies of the same context share a run.
    ///
    /// It replaces the modifiers that wrap the loader. It is not part of the cache key: if it selects different images at the same URL, use a key filter as well.
    public var requestModifier: RequestModifier? {
        get { self[RequestModifierKey.self] }
        set { self[RequestModifierKey.self] = newValue }
    }

    /// The modifier of the response, applied before the `decryptor`, in place of those that wrap the loader. Only loads with copies of the same context share a
    /// run.
    public var responseModifier: ResponseModifier? {
        get { self[ResponseModifierKey.self] }
        set { self[ResponseModifierKey.self] = newValue }
    }

    /// The decryptor of the response body, in place of those that wrap the loader. Caches store the decrypted bytes. Only loads with copies of the same context
    /// share a run.
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
            loader = loader.removing(.response).modifyingResponses(modify)
        }
        if let decryptor = context.decryptor { loader = loader.removing(.decryptor).decrypting(decryptor) }
        if let modify = context.requestModifier { loader = loader.removing(.request).modifyingRequests(modify) }
        return loader
    }

    /// Returns this loader without the wrappers that are a `modifier`.
    fileprivate func removing(_ modifier: LoaderModifier) -> any ImageLoader {
        (self as? any LoaderWrapper)?.removingFromWrapper(modifier) ?? self
    }
}

extension LoaderWrapper {
    fileprivate func removingFromWrapper(_ modifier: LoaderModifier) -> any ImageLoader {
        let inner = base.removing(modifier)
        if let own = self as? ModifyingLoader<Base>, own.modifier == modifier { return inner }
        return rewrapped(around: inner) ?? self
    }
}
