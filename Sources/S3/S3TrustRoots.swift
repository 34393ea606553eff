#if S3
    public import DarkroomPlatform
    import NIOSSL

    /// The certificate authorities that are trusted to identify an `https:` endpoint.
    public struct S3TrustRoots: Sendable {
        /// The certificates in PEM form; `nil` for the system's only.
        private let pem: Data?
        private let includesSystem: Bool

        /// Trusts the system's authorities.
        public static let system = S3TrustRoots(pem: nil, includesSystem: true)

        /// Trusts the certificates in `bytes`, in PEM form, and the system's only if `includingSystem` is `true`.
        public static func pem(_ bytes: Data, includingSystem: Bool = false) -> S3TrustRoots {
            S3TrustRoots(pem: bytes, includesSystem: includingSystem)
        }

        /// Whether the certificates can be parsed.
        var isValid: Bool { pem == nil || certificates?.isEmpty == false }

        /// Applies the trust roots to `settings`.
        func apply(to settings: inout TLSConfiguration) {
            guard pem != nil else { return }
            // If the certificates cannot be parsed, nothing else is trusted instead.
            if includesSystem {
                settings.additionalTrustRoots.append(.certificates(certificates ?? []))
            } else {
                settings.trustRoots = .certificates(certificates ?? [])
            }
        }

        private var certificates: [NIOSSLCertificate]? {
            pem.flatMap { try? NIOSSLCertificate.fromPEMBytes([UInt8]($0)) }
        }
    }
#endif
