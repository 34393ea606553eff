/// A link of the chain original → result → file: used as a cache has it, or else made of the link before it.
///
/// The original is made of the response of a loader, a result of the original, and a file of a result.
protocol Step: AnyObject {
    /// The link before.
    associatedtype Input
    associatedtype Product: Sendable

    var caches: RequestCaches { get }
    var trace: LoadTrace { get }
    /// Counts the entries that are read from data caches.
    var memory: TransferMemory { get }

    /// The product in the data caches; `nil` if they are not searched for it.
    var artifact: Artifact? { get }

    /// Returns the product that `found`, fresh or stale, is; `nil` if it cannot be used after all.
    func open(_ found: Found) async throws -> Product?

    /// Returns the link before, after a `lookup` that has found nothing to be used at once. If it fails with an
    /// `ImageError`, a stale product may take its place.
    func input(_ lookup: Lookup) async throws -> Input

    /// Makes the product of `input`, unless that confirms what was found. Its errors are final.
    func make(of input: Input, _ lookup: Lookup) async throws -> LeasedWork<Product>.Product

    /// Called with the error of `input` if nothing takes its place.
    func noteFailure(_ error: ImageError)
}

extension Step {
    func noteFailure(_ error: ImageError) {}

    /// Returns the product that the caches have or another node has shared, or makes it, under a lease if there are any.
    func product() async throws -> Product {
        let artifact = artifact
        var lookup = await caches.find(artifact, trace, memory)
        if let found = lookup.found, found.verdict.allowsUse {
            if let product = try await use(found) { return product }
            lookup.found = nil
            memory.release()
        }
        // The link before has memory of its own.
        if artifact?.kind != .original { memory.resign() }
        guard let artifact, let shared = artifact.shared else { return try await newProduct(lookup).value }
        return try await shared.product(of: artifact, trace) {
            if let product = try await sharedProduct(artifact, &lookup) { return product }
            // The load may wait for other nodes, and for the link before.
            memory.release(keeping: lookup.found?.entry.data.count ?? 0)
            return nil
        } make: {
            try await newProduct(lookup)
        }
    }

    private func sharedProduct(_ artifact: Artifact, _ lookup: inout Lookup) async throws -> Product? {
        guard let found = await caches.findShared(artifact, after: lookup, trace, memory) else { return nil }
        guard found.verdict.allowsUse else {
            // The origin server may still confirm it.
            if artifact.kind == .original, lookup.found == nil { lookup.found = found }
            return nil
        }
        guard let admitted = await caches.admit(found), let product = try await use(admitted) else { return nil }
        artifact.storeCopy(of: admitted)
        return product
    }

    /// Opens `found`. From now on the run only works on it, and waits for no other transfer unless it cannot be used.
    private func use(_ found: Found) async throws -> Product? {
        memory.finish(withEntryOf: found.entry.data.count)
        return try await open(found)
    }

    private func newProduct(_ lookup: Lookup) async throws -> LeasedWork<Product>.Product {
        let input: Input
        do {
            input = try await self.input(lookup)
        } catch let error as ImageError {
            if let stale = caches.stale(lookup.found, after: error), let product = try await use(stale) {
                return .init(value: product, store: nil)
            }
            noteFailure(error)
            throw error
        }
        return try await make(of: input, lookup)
    }
}
