import DarkroomPlatform

/// A request for an encoded result: that for its image, and the key of the file.
struct EncodedRequest: Sendable {
    /// The request for the image, with the cache policy of the file.
    let image: Request

    /// The key of the file; `nil` if a key filter excludes it from all caches.
    let key: CacheKey?

    init(_ image: Request) {
        self.image = image
        key = image.key.map { CacheKey(source: $0.source, image.context.encodedVariant) }
    }

    var context: ImageContext { image.context }

    /// Returns the key of the run that makes the file. Other URLs with the same key share the load of the image, at most.
    func flight(in circumstances: FlightKey.Circumstances) -> FlightKey {
        let key = key ?? CacheKey(source: image.url.absoluteString, context.encodedVariant)
        return FlightKey(
            key, context: context, isCached: self.key != nil, scope: .url(image.url), in: circumstances)
    }

    /// The same request at low priority, which waits for the revalidation of a stale file.
    var revalidating: EncodedRequest { EncodedRequest(image.revalidating) }
}

extension Request {
    /// Whether encoded results are looked up in the data cache.
    var readsEncodedResults: Bool {
        key != nil && context.cacheUse != .loaderOnly && context.cachePolicy.query.contains(.disk)
    }

    /// Whether encoded results are stored in the data cache.
    var storesEncodedResults: Bool { key != nil && context.cachePolicy.store.contains(.disk) }

    /// The request for the image of an encoded result, of which the data caches get only the file and the original.
    ///
    /// A result that a load or the app has stored on disk is the image. Other nodes share the file in its place.
    var forEncoding: Request {
        keepingResult.with {
            var policy = $0.cachePolicy
            policy.store.formIntersection(.memory)
            // The disk entry of a plain load is the original.
            if !isVariant {
                policy.query.formIntersection(.memory)
                policy.query.formUnion(policy.originalQuery.intersection(.disk))
                policy.store.formUnion(policy.originalStore.intersection(.disk))
            }
            $0.cachePolicy = policy
        }
    }
}
