// Predictions of what a load would do, by the same lookups and verdicts, without changing anything.
extension LoadPipeline {
    /// Performs the lookups of a load, up to the one that finds the image, and returns the findings.
    func plan(of request: Request) async -> LoadPlan {
        var search = PlannedSearch(LoadPlan(url: request.url, key: request.key))
        await add(request, to: &search)
        return search.plan
    }

    /// Returns the plan of an encoded load: the lookups of the file, and then those of the image.
    func plan(of request: EncodedRequest) async -> LoadPlan {
        let image = request.image.forEncoding
        guard let key = request.key else { return await plan(of: image) }
        var search = PlannedSearch(LoadPlan(url: image.url, key: key))
        let caches = await caches(for: request.image)
        let file = caches.file(at: key)
        if search.ends(with: await caches.peek(at: file), at: .disk(.file), of: image) { return search.plan }
        let stored = search.takeUnused().first
        if file.shared != nil,
            search.ends(with: await caches.peek(atShared: file), at: .shared(.file), of: image)
        {
            return search.plan
        }
        _ = search.takeUnused()
        await add(image, to: &search)
        if let stored, let error = search.plan.failure, caches.rules.allowsStale(stored.version, after: error) {
            search.use(stored, after: error, of: image)
        } else if let stored, let used = search.used, used.revision == stored.version?.revision {
            // The file has been made of that version already.
            search.plan.origin = stored.place.origin(of: image)
        }
        return search.plan
    }

    /// Returns whether the file of `request` is stored, and is neither revalidated nor made anew.
    func hasUsableFile(_ request: EncodedRequest) async -> Bool {
        guard let key = request.key else { return false }
        await request.image.readLocalVersion(at: components.now())
        let caches = await caches(for: request.image)
        return await caches.peek(at: caches.file(at: key)).verdict?.allowsUse ?? false
    }

    private func add(_ request: Request, to search: inout PlannedSearch) async {
        let caches = await caches(for: request)
        for place in caches.places where search.ends(with: await caches.peek(at: place), at: place, of: request) {
            return
        }
        if caches.shared?.hasLeases == true {
            search.plan.steps.append(.init(location: "lease", finding: "taken, unless another node has it"))
        }
        addLoader(of: request, caches.rules, to: &search)
    }

    private func addLoader(of request: Request, _ rules: CacheRules, to search: inout PlannedSearch) {
        if request.context.cacheUse == .loaderOnly { search.plan.decision = .bypassed(.loaderOnly) }
        do throws(ImageError) {
            guard request.context.cacheUse != .cacheOnly else { throw .cacheOnlyMiss }
            try rules.checkAccess()
            let loader = try readyLoader(for: request)
            search.plan.steps.append(.init(location: "loader", finding: "\(type(of: loader))"))
            search.plan.origin = request.isLocal ? .local : .network
        } catch {
            search.plan.steps.append(.init(location: "loader", finding: error.message))
            search.plan.failure = error
            search.useStale(after: error, rules)
        }
    }
}

/// The lookups of a plan so far.
private struct PlannedSearch {
    /// An entry that the load uses only if it fails.
    struct Unused {
        let place: CachePlace
        let version: OriginalVersion?
    }

    var plan: LoadPlan
    /// The version of the entry that the load uses, if it uses one.
    private(set) var used: OriginalVersion?
    private var unused: [Unused] = []

    init(_ plan: LoadPlan) { self.plan = plan }

    /// Records what was found in `place`. Returns true if the load of `request` ends there.
    mutating func ends(with finding: CacheFinding, at place: CachePlace, of request: Request) -> Bool {
        plan.steps.append(.init(location: place.name, finding: finding.description))
        guard case .entry(let version, let verdict) = finding else { return false }
        plan.decision = verdict
        guard place.accepts(verdict) else {
            unused.append(Unused(place: place, version: version))
            return false
        }
        used = version
        plan.origin = (place.isOriginal ? result(madeOf: version)?.place ?? place : place).origin(of: request)
        return true
    }

    /// Returns the entries that the load uses only if it fails, and forgets them.
    mutating func takeUnused() -> [Unused] {
        defer { unused = [] }
        return unused
    }

    /// Records the entry that the load delivers in place of `error`, if there is one: made from a stale original, or else
    /// stale itself.
    mutating func useStale(after error: ImageError, _ rules: CacheRules) {
        if let original = entry(at: .disk(.original)) ?? entry(at: .shared(.original)),
            rules.allowsStale(original.version, after: error)
        {
            use(result(madeOf: original.version) ?? original, after: error, of: rules.request)
        } else if let result = [CachePlace.disk(.result), .memory].compactMap(entry)
            .first(where: { rules.allowsStale($0.version, after: error) })
        {
            use(result, after: error, of: rules.request)
        }
    }

    /// Records that the load of `request` delivers `entry` in place of `error`.
    mutating func use(_ entry: Unused, after error: ImageError, of request: Request) {
        used = entry.version
        plan.failure = nil
        plan.origin = entry.place.origin(of: request)
        plan.decision = .staleOnError(error.cause.kind)
    }

    /// Returns the stale result that has been made of this version of the original, which the load uses once it has that.
    private func result(madeOf version: OriginalVersion?) -> Unused? {
        [CachePlace.memory, .disk(.result)].compactMap(entry).first { $0.version?.revision == version?.revision }
    }

    private func entry(at place: CachePlace) -> Unused? { unused.first { $0.place == place } }
}
