import DarkroomPlatform

// The parts that serve one request: those of its context, or else those of the manager.
extension LoadPipeline {
    /// Returns the caches as `request` may use them, with the version of a local source.
    func caches(for request: Request) async -> RequestCaches {
        await request.readLocalVersionOnce(at: components.now())
        return RequestCaches(for: request, in: caches)
    }

    /// Returns what `request` may use of the caches.
    func rules(for request: Request) -> CacheRules { CacheRules(request: request, manager: caches) }

    /// Returns the coders for the original of `request`.
    func coders(for request: Request) -> CoderRegistry {
        guard let coder = request.context.coder else { return components.coders }
        return components.coders.only(coder)
    }

    /// Returns the loader that accepts `url`, whether or not it may be called now.
    func loader(for url: URL, context: ImageContext) -> (any ImageLoader)? {
        if let loader = context.loader { return loader.canLoad(url) ? loader : nil }
        return components.loaders.last { $0.canLoad(url) }
    }

    /// Returns the source of the cache key of `url`; `nil` if a key filter excludes it from all caches.
    func keySource(of url: URL, context: ImageContext) -> String? {
        let filters = context.keyFilters ?? components.keyFilters
        return filters.isEmpty ? url.absoluteString : filters.source(of: url, context: context)
    }

    /// Returns `url`, of a response to `request`, without the secrets that must not be stored.
    func storable(_ url: URL, for request: Request) -> URL {
        let hasFilters = !(request.context.keyFilters ?? components.keyFilters).isEmpty
        guard hasFilters || url.absoluteString.utf8.contains(UInt8(ascii: "@")) else { return url }
        return url.storable(source: hasFilters ? keySource(of: url, context: request.context) ?? "" : nil)
    }

    /// Returns the loader for `request`, with the modifiers of its context.
    ///
    /// - Throws: An error of kind `noLoader` if no loader accepts the URL, and `refused` if the URL failed recently.
    func readyLoader(for request: Request) throws(ImageError) -> any ImageLoader {
        guard let loader = request.loader else {
            let scheme = request.url.scheme.map { "\($0) URLs" } ?? "a URL without scheme"
            throw ImageError(.noLoader, .load, "no loader for \(scheme) is installed")
        }
        if !request.context.retriesFailed, let failure = failure(of: request),
            failure.kind != .noCoder || !request.context.acceptsAnyData
        {
            throw ImageError(
                .refused, .load,
                "the URL failed recently: \(failure.message); set context.retriesFailed to load it anyway",
                underlying: failure)
        }
        return loader.applying(request.context)
    }

    /// Returns the recent failure that keeps `request` from being sent; `nil` if parts of its own may make it
    /// succeed.
    private func failure(of request: Request) -> ImageError? {
        guard request.context.sharesFailures else { return nil }
        return failedURLs.failure(of: request) { refusal in
            refusal.answers(request, requestFields: rules(for: request).requestFields, at: components.now())
        }
    }

    /// Remembers `error` as the failure of `request`: for as long as the response declares, or else if the context or
    /// the loader of the request demands that.
    func remember(_ error: ImageError, of request: Request) {
        let sendsCredentials = error.refusesCredentials && request.authorization != nil
        if !sendsCredentials, let refusal = refusal(error, of: request) {
            if refusal.expires > components.now() { failedURLs.insert(request, error: error, refusal: refusal) }
        } else if request.context.remembers(
            error, of: request.url, by: request.loader, sendsCredentials: sendsCredentials)
        {
            failedURLs.insert(request, error: error)
        }
    }

    /// Forgets the failure of requests like `request`, which has succeeded; not if that may be due to parts of its own.
    func forgetFailure(of request: Request) {
        if request.context.sharesFailures { failedURLs.remove(request) }
    }

    private func refusal(_ error: ImageError, of request: Request) -> Refusal? {
        guard request.context.usesStandardParts, request.context.remembersFailure == nil else { return nil }
        return Refusal(
            error, of: request, requestFields: rules(for: request).requestFields, at: components.now())
    }

    /// Throws the error of an image made from `original`, if no coder accepts its bytes, and remembers it.
    func checkImage(of original: Original, for request: Request) throws(ImageError) {
        guard let error = original.imageError else { return }
        remember(error, of: request)
        throw error
    }

    /// Runs `body` on the executor for blocking work, when its urgency permits, unless it is cancelled by then.
    func work<Value: Sendable>(
        _ scope: WorkScope, body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        try await components.workExecutor.run(urgency: scope.urgency) { [cancellation = scope.cancellation] in
            try cancellation.check()
            return try body()
        }
    }

    /// Runs `body`, with a budget for the shared cache if its caller has none.
    func withTierBudget<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        guard let options = caches.shared?.options, TierBudget.current == nil else { return try await body() }
        let budget = TierBudget(options.budget, clock: options.clock)
        return try await TierBudget.$current.withValue(budget) { try await body() }
    }
}

extension [any CacheKeyFilter] {
    /// Returns the source that the filters make from `url`, applied in order; `nil` if one excludes it from the caches.
    fileprivate func source(of url: URL, context: ImageContext) -> String? {
        var source: String? = url.absoluteString
        for filter in self {
            guard let text = source else { break }
            source = filter.key(for: url, soFar: text, context: context)
        }
        return source
    }
}
