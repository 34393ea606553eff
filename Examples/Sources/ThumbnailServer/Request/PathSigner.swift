import Crypto
public import Foundation

/// Signs paths, so that only its owner decides what the server works on: HMAC-SHA256 over their bytes, in base64url.
public struct PathSigner: Sendable {
    private let keys: [SymmetricKey]

    /// The first key signs; all are accepted, so that keys can be changed without a gap. `nil` for none, or one of
    /// fewer than 16 bytes.
    public init?(keys: [Data]) {
        guard !keys.isEmpty, keys.allSatisfy({ $0.count >= 16 }) else { return nil }
        self.keys = keys.map { SymmetricKey(data: $0) }
    }

    /// The signature of `text`, which is `/{options}/{source}` to the byte.
    public func signature(of text: some StringProtocol) -> String {
        Data(HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: keys[0])).base64URL
    }

    /// Whether `signature` is that of `text` by any of the keys. The time it takes tells nothing about them.
    func accepts(_ signature: Substring, of text: Substring) -> Bool {
        guard let code = Data(base64URL: signature) else { return false }
        let bytes = Data(text.utf8)
        var isAccepted = false
        for key in keys where HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: bytes, using: key) {
            isAccepted = true
        }
        return isAccepted
    }
}
