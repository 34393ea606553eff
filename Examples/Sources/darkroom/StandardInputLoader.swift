import Console
import Darkroom

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Loads the bytes on standard input. They can be read only once, so they are not cached.
struct StandardInputLoader: ImageLoader {
    private let executor = WorkExecutor(name: "stdin", width: 1)

    func install(in components: inout ImageManager.Components) {
        components.loaders.append(self)
        components.install(ClosureKeyFilter { url, text, _ in canLoad(url) ? nil : text })
    }

    func canLoad(_ url: URL) -> Bool { url.scheme == "stdin" }

    func load(_ request: LoadRequest) async throws -> LoadResponse {
        let limit = request.context.limits.encodedByteCount
        let data = try await executor.run {
            do {
                return try FileDescriptor.standardInput.contents(upTo: limit)
            } catch {
                throw ImageError(.refused, .load, "standard input cannot be read: \(error)")
            }
        }
        try request.context.limits.check(encodedByteCount: data.count)
        return LoadResponse(.data(data), expectedByteCount: data.count)
    }

    func localVersion(of url: URL) -> LocalVersion? { LocalVersion("stdin") }

    func remembers(_ error: ImageError) -> Bool { false }
}
