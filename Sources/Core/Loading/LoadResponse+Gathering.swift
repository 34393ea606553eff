#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension LoadResponse {
    /// Returns all bytes of the body, counted against `limits` as they arrive; `nil` for a body without bytes.
    func gathered(limits: DecodeLimits) async throws -> Data? {
        switch body {
        case .image, .notModified: return nil
        case .data(let data):
            try limits.check(encodedByteCount: data.count)
            return data
        case .chunks(let chunks):
            try limits.check(encodedByteCount: expectedByteCount ?? 0)
            var data = Data()
            for try await chunk in chunks {
                try limits.check(encodedByteCount: data.count + chunk.count)
                data.append(chunk)
            }
            // A task that was cancelled may see the end of the chunks instead of an error.
            try Task.checkCancellation()
            guard data.count >= expectedByteCount ?? 0 else {
                throw ImageError(
                    .network, .load, "the transfer ended after \(data.count) of \(expectedByteCount ?? 0) bytes")
            }
            return data
        }
    }
}
