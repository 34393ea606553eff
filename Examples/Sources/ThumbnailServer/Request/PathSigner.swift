import Crypto
public import Foundation

/// Signs paths, so that only the owner of the keys decides what the server works on: HMAC-SHA256 over their bytes, in base64url.
public struct PathSigner: Sendable {
    private let keys: [SymmetricKey]

    /// The first key signs; all are accepted, so that keys can be changed without a gap. `nil` for none, or one of
    /// fewer than 16 bytes.
    public init?(keys: [Data]) {
        guard !keys.isEmpty, keys.allSatisfy({ $0.count >= 16 }) else { return nil }
        self.keys = keys.map { SymmetricKey(data: $0) }
    }

    /// The signature of `text`, which is `/{options}/{source}` to the byte.
    public func signature(of text: some StringProtocol) -> String { Self.signature(of: text, keys[0]) }

    /// Whether `signature` is, to the byte, that of `text` by any of the keys. The time it takes tells nothing about them.
    func accepts(_ signature: Substring, of text: Substring) -> Bool {
        keys.reduce(false) { isAccepted, key in
            Self.areEqual(signature.utf8, Self.signature(of: text, key).utf8) || isAccepted
        }
    }

    private static func signature(of text: some StringProtocol, _ key: SymmetricKey) -> String {
        Data(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key)).base64URL
    }

    /// Whether both are the same bytes. The time depends on how many there are, not on where they differ.
    private static func areEqual(_ left: some Collection<UInt8>, _ right: some Collection<UInt8>) -> Bool {
        left.count == right.count && zip(left, right).reduce(0 as UInt8) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
