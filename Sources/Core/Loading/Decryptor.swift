#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Makes a picture's bytes of what a loader brought.
public struct Decryptor: Sendable {
    private let decrypt: @Sendable (Data, ResponseMetadata?) async throws -> Data?

    /// A decryptor that calls `decrypt` with all bytes and how the origin answered; `nil` or nothing means that it cannot.
    public init(_ decrypt: @escaping @Sendable (Data, ResponseMetadata?) async throws -> Data?) {
        self.decrypt = decrypt
    }

    /// Undoes Base64. Characters that do not belong to it, such as line breaks, are ignored.
    public static let base64 = Decryptor { data, _ in Data(base64Encoded: data, options: .ignoreUnknownCharacters) }

    fileprivate func plain(_ data: Data, _ metadata: ResponseMetadata?) async throws -> Data {
        guard let plain = try await decrypt(data, metadata), !plain.isEmpty else {
            throw ImageError(.corrupt, .load, "the decryptor refused the bytes", response: metadata)
        }
        return plain
    }
}

extension ImageLoader {
    /// A loader that makes its bytes of those of this one.
    ///
    /// It needs all of them, at most `context.limits.encodedByteCount`, so there are no previews and no progress on the way.
    /// Ready images and `notModified` pass unchanged.
    public func decrypting(_ decryptor: Decryptor) -> some ImageLoader {
        modifyingResponses { response, request in
            guard let data = try await response.gathered(limits: request.context.limits) else { return }
            let plain = try await decryptor.plain(data, response.metadata)
            response.body = .data(plain)
            response.expectedByteCount = plain.count
        }
    }
}
