import Crypto
public import ServerPlatform

/// Signs paths with HMAC-SHA256 in base64url, so that only the owner of the keys decides what the server processes.
public struct PathSigner: Sendable {
    private let keys: [SymmetricKey]

    /// Creates a signer. The first key signs; all keys are accepted, which allows keys to be rotated without downtime.
    /// Returns `nil` without keys, or if one has fewer than 16 bytes.
    public init?(keys: [Data]) {
        guard !keys.isEmpty, keys.allSatisfy({ $0.count >= 16 }) else { return nil }
        self.keys = keys.map { SymmetricKey(data: $0) }
    }

    /// Returns the signature of the bytes of `text`, which is `/{options}/{source}`.
    public func signature(of text: some StringProtocol) -> String { Self.signature(of: text, key: keys[0]) }

    /// Returns whether `signature` is that of `text` with any of the keys, in constant time.
    func accepts(_ signature: Substring, of text: Substring) -> Bool {
        keys.reduce(false) { isAccepted, key in
            Self.areEqual(signature.utf8, Self.signature(of: text, key: key).utf8) || isAccepted
        }
    }

    private static func signature(of text: some StringProtocol, key: SymmetricKey) -> String {
        Data(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key)).base64URL
    }

    /// Returns whether both contain the same bytes. The time depends on their length only.
    private static func areEqual(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
        left.count == right.count && zip(left, right).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
