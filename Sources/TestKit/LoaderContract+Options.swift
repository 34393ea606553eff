import DarkroomCore
public import DarkroomPlatform
import Synchronization

extension LoaderContract {
    /// Checks that the loader reads only values of the context that affect the source. Caches would return what it has
    /// loaded with one value to requests with another.
    ///
    /// It may also read the keys of `negotiatedKeys`, and those of Darkroom that affect no image, such as limits and header
    /// fields.
    public func checkOptions(of url: URL) async throws {
        let reads = Mutex<[ObjectIdentifier: OptionRead]>([:])
        let observed = context.observingReads { key, effect in
            let (id, read) = (ObjectIdentifier(key), OptionRead(name: String(reflecting: key), effect: effect))
            reads.withLock { $0[id] = read }
        }
        let request = LoadRequest(url: url, context: observed)
        _ = (loader.requestFields(for: request), loader.transferState(for: request))
        try? loader.check(request)
        let response = try await response(to: request)
        _ = try? loader.accepted(response, for: request)
        _ = try await bytes(of: response, from: url)
        for (id, read) in reads.withLock({ $0 }) where !read.isPermitted && !negotiatedKeys.contains(id) {
            throw subject.violation(
                "it reads \(read.name), whose effect is \(read.effect): "
                    + "a cache returns the wrong image, unless that is .source"
            )
        }
    }
}

/// A value of the context that a loader has read.
private struct OptionRead: Sendable {
    let name: String
    let effect: ContextEffect

    /// Whether any loader may read it.
    var isPermitted: Bool {
        switch effect {
        case .source: true
        case .result, .file: false
        // The framework knows what loaders make of its own values.
        case .lookup, .nothing: ["DarkroomCore.", "DarkroomHTTP."].contains { name.startsWithBytes(of: $0) }
        }
    }
}
