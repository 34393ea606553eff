import Console
import Darkroom

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The outcome of reading one header.
struct InfoOutcome: Sendable {
    let index: Int
    /// The header, and the size of the file in bytes.
    let result: Result<(info: ImageInfo, byteCount: Int), ImageError>
}

/// Loads the bytes of sources, and reads their headers.
struct InfoRunner: Sendable {
    let sources: [Source]
    let loaders: [any ImageLoader]
    let coders: CoderRegistry
    let context: ImageContext

    /// Reads the header of the source at `index`.
    func outcome(of index: Int) async -> InfoOutcome {
        do {
            let data = try await data(of: try sources[index].validURL)
            let info = try coders.info(of: data)
            return InfoOutcome(index: index, result: .success((info, data.count)))
        } catch {
            let error = error as? ImageError ?? ImageError(.internal, .load, "\(error)", underlying: error)
            return InfoOutcome(index: index, result: .failure(error))
        }
    }

    private func data(of url: URL) async throws -> Data {
        guard let loader = loaders.last(where: { $0.canLoad(url) }) else {
            throw ImageError(.noLoader, .load, "no loader for \(url.scheme ?? "this") URLs is installed")
        }
        switch try await loader.load(LoadRequest(url: url, context: context)).body {
        case .data(let data): return data
        case .chunks(let chunks): return try await gather(chunks)
        case .image, .notModified: throw ImageError(.internal, .load, "the loader returned no bytes")
        }
    }

    private func gather(_ chunks: any AsyncSequence<Data, any Error> & Sendable) async throws -> Data {
        var data = Data()
        for try await chunk in chunks {
            data += chunk
            try context.limits.check(encodedByteCount: data.count)
        }
        return data
    }
}
