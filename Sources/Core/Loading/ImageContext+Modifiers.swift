// Nobody can tell whether two closures do the same, so each that is set gets a number that no other has.
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
    /// Changes this load's request before the loader gets it. Copies of the context share runs; others never do.
    ///
    /// It is not in the cache key: whoever may see other pictures at the same URL needs a key filter as well.
    public var requestModifier: RequestModifier? {
        get { self[RequestModifierKey.self] }
        set { self[RequestModifierKey.self] = newValue }
    }

    /// Changes the response to this load, before a `decryptor` gets its bytes. Copies of the context share runs; others never do.
    public var responseModifier: ResponseModifier? {
        get { self[ResponseModifierKey.self] }
        set { self[ResponseModifierKey.self] = newValue }
    }

    /// Makes the picture's bytes of what this load brings; caches keep what it made. Copies of the context share runs; others
    /// never do.
    public var decryptor: Decryptor? {
        get { self[DecryptorKey.self] }
        set { self[DecryptorKey.self] = newValue }
    }
}

extension ImageLoader {
    /// This loader, with what `context` puts round a single load.
    func applying(_ context: ImageContext) -> any ImageLoader {
        var loader: any ImageLoader = self
        if let modify = context.responseModifier { loader = loader.modifyingResponses(modify) }
        if let decryptor = context.decryptor { loader = loader.decrypting(decryptor) }
        if let modify = context.requestModifier { loader = loader.modifyingRequests(modify) }
        return loader
    }
}
