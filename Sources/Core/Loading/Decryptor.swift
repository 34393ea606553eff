public import DarkroomPlatform

/// A decryptor, which turns the bytes from a loader into those of an image.
public struct Decryptor: Sendable {
    private let decrypt: @Sendable (Data, ResponseMetadata?) async throws -> Data?

    /// Creates a decryptor that calls `decrypt` with all bytes and the response metadata. A result of `nil` or no bytes
    /// means failure.
    public init(_ decrypt: @escaping @Sendable (Data, ResponseMetadata?) async throws -> Data?) {
        self.decrypt = decrypt
    }

    /// A decoder of Base64, which ignores unknown characters such as line breaks.
    public static let base64 = Decryptor { data, _ in Data(base64Encoded: data, options: .ignoreUnknownCharacters) }

    fileprivate func decrypted(_ data: Data, metadata: ResponseMetadata?) async throws -> Data {
        guard let decrypted = try await decrypt(data, metadata), !decrypted.isEmpty else {
            throw ImageError(.corrupt, .load, "the decryptor rejected the bytes", response: metadata)
        }
        return decrypted
    }
}

extension ImageLoader {
    /// Returns a loader that decrypts the bytes of this one.
    ///
    /// It collects all bytes first, at most `context.limits.encodedByteCount`, so there are no previews or progress
    /// events. Decoded images, `notModified` and rejected responses pass unchanged.
    public func decrypting(_ decryptor: Decryptor) -> some ImageLoader {
        ModifyingLoader(base: self, modifier: .decryptor) { request, load in
            var response = try await load(request)
            guard rejection(of: response, for: request) == nil,
                let (data, _) = try await response.gathered(limits: request.context.limits)
            else { return response }
            let decrypted = try await decryptor.decrypted(data, metadata: response.metadata)
            response.body = .data(decrypted)
            response.expectedByteCount = decrypted.count
            return response
        }
    }
}
