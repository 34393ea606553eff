/// A place where a load looks for an image, or for what it is made of.
enum CachePlace: Hashable {
    /// The result in memory.
    case memory
    /// The decoded original of a variant in memory.
    case decodedOriginal
    case disk(Artifact.Kind)
    case shared(Artifact.Kind)

    /// Whether the original is found here, of which a result is yet to be made.
    var isOriginal: Bool { [.decodedOriginal, .disk(.original), .shared(.original)].contains(self) }

    /// The name in a plan.
    var name: String {
        switch self {
        case .memory: "memory"
        case .decodedOriginal: "original in memory"
        case .disk(.file): "encoded result"
        case .disk(let kind): "\(kind) on disk"
        case .shared(.file): "encoded result in the shared cache"
        case .shared(let kind): "\(kind) in the shared cache"
        }
    }

    /// Returns the origin of the result of `request`, if it is found here, or made of what is found here.
    func origin(of request: Request) -> LoadResult.Origin {
        switch self {
        case .memory, .decodedOriginal: .memory
        case .disk(.original): request.isVariant ? .original : .disk
        case .disk: .disk
        case .shared: .sharedCache
        }
    }

    /// Returns whether a load ends here with an entry on which this is the verdict.
    func accepts(_ verdict: CacheDecision) -> Bool {
        // A stale decoded original is not revalidated itself; the one on disk is.
        if self == .decodedOriginal, case .staleWhileRevalidating = verdict { return false }
        return verdict.allowsUse
    }
}

// Lookups that change nothing, in the places of those of a load.
extension RequestCaches {
    /// The places where a load of the result looks, in order.
    var places: [CachePlace] {
        var places = [CachePlace.memory]
        if request.isVariant {
            places.append(.disk(.result))
            if result?.shared != nil { places.append(.shared(.result)) }
            if request.context.cachePolicy.originalQuery.contains(.memory) { places.append(.decodedOriginal) }
        }
        places.append(.disk(.original))
        if original?.shared != nil { places.append(.shared(.original)) }
        return places
    }

    /// Looks up what a load of the result looks for in `place`, without decoding or changing anything.
    func peek(at place: CachePlace) async -> CacheFinding {
        switch place {
        case .memory: images.peek()
        case .decodedOriginal: images.peekAtOriginal()
        case .disk(let kind): await peek(at: artifact(kind))
        case .shared(let kind): await peek(atShared: artifact(kind))
        }
    }

    /// Looks up `artifact` in its data cache.
    func peek(at artifact: Artifact?) async -> CacheFinding {
        guard let artifact else { return .notRead }
        return await artifact.slot.peek(at: artifact)
    }

    /// Looks up `artifact` in the shared cache, without copying it.
    func peek(atShared artifact: Artifact?) async -> CacheFinding {
        guard let artifact, let shared = artifact.shared else { return .notRead }
        guard let entry = await shared.peek(at: artifact) else { return .miss }
        let finding = rules.finding(entry.metadata.original)
        guard finding.verdict?.allowsUse == true, await !wouldAdmit(entry) else { return finding }
        return .outdated
    }

    /// Returns whether a readable cache has the result, fresh or stale, of the current local version and for the same
    /// header fields.
    func containsResult() async -> Bool {
        guard request.context.cacheUse.prefersCaches else { return false }
        if images.peek().isUsableOnceFresh { return true }
        guard let artifact = request.isVariant ? result : original, artifact.isRead else { return false }
        if await artifact.slot.isStoring(artifact.key) { return true }
        return await artifact.slot.peek(at: artifact).isUsableOnceFresh
    }

    /// Returns the link that a load of the result looks for, which is no file.
    private func artifact(_ kind: Artifact.Kind) -> Artifact? {
        switch kind {
        case .original: original
        case .result: result
        case .file: nil
        }
    }
}

extension CacheFinding: CustomStringConvertible {
    var description: String {
        switch self {
        case .notRead: "not read"
        case .miss: "miss"
        case .withheld: "withheld: the loader could not have reached it by the same route"
        case .outdated: "outdated: this node has had a later response"
        case .entry(_, let verdict): "\(verdict)"
        }
    }
}
