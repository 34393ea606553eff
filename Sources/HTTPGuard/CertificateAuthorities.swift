#if HTTP || S3
    package import DarkroomPlatform
    package import NIOSSL

    /// The certificate authorities that a client trusts to identify servers.
    package struct CertificateAuthorities: Sendable {
        /// The certificates in PEM form; `nil` for the system's only.
        private let pem: Data?
        private let includesSystem: Bool

        /// The system's authorities.
        package static let system = CertificateAuthorities(pem: nil, includesSystem: true)

        /// The certificates in `bytes`, in PEM form, and the system's if `includesSystem` is `true`.
        package static func pem(_ bytes: Data, includesSystem: Bool) -> CertificateAuthorities {
            CertificateAuthorities(pem: bytes, includesSystem: includesSystem)
        }

        /// Whether only the system's authorities are trusted.
        package var isSystem: Bool { pem == nil }

        /// Whether the certificates can be parsed, and there is at least one.
        package var isValid: Bool { isSystem || !certificates.isEmpty }

        /// The parsed certificates; none if one cannot be parsed, so that nothing else is trusted instead.
        private var certificates: [NIOSSLCertificate] {
            pem.flatMap { try? NIOSSLCertificate.fromPEMBytes([UInt8]($0)) } ?? []
        }

        /// Makes connections with `settings` trust these authorities.
        package func apply(to settings: inout TLSConfiguration) {
            guard !isSystem else { return }
            if includesSystem {
                settings.additionalTrustRoots.append(.certificates(certificates))
            } else {
                settings.trustRoots = .certificates(certificates)
            }
        }
    }
#endif
