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
    /// It is not part of the cache key: if it selects different images at the same URL, use a key filter as well.
    public var requestModifier: RequestModifier? {
        get { self[RequestModifierKey.self] }
        set { self[RequestModifierKey.self] = newValue }
    }

    /// The modifier of the response, applied before the `decryptor`. Only loads with copies of the same context share a
    /// run.
    public var responseModifier: ResponseModifier? {
        get { self[ResponseModifierKey.self] }
        set { self[ResponseModifierKey.self] = newValue }
    }

    /// The decryptor of the response body. Caches store the decrypted bytes. Only loads with copies of the same context
    /// share a run.
    public var decryptor: Decryptor? {
        get { self[DecryptorKey.self] }
        set { self[DecryptorKey.self] = newValue }
    }
}

extension ImageLoader {
    /// Returns this loader with the modifiers and the decryptor of `context`.
    func applying(_ context: ImageContext) -> any ImageLoader {
        var loader: any ImageLoader = self
        if let modify = context.responseModifier { loader = loader.modifyingResponses(modify) }
        if let decryptor = context.decryptor { loader = loader.decrypting(decryptor) }
        if let modify = context.requestModifier { loader = loader.modifyingRequests(modify) }
        return loader
    }
}
