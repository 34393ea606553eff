#if HTTP
    public import DarkroomCore
    public import DarkroomPlatform
    import NIOSSL

    extension HTTPLoader {
        /// The certificate authorities that are trusted to identify `https:` origins.
        public struct TrustRoots: Sendable {
            /// The certificates in PEM form; `nil` for the system's only.
            private let pem: Data?
            private let includesSystem: Bool

            /// Trusts the system's authorities.
            public static let system = TrustRoots(pem: nil, includesSystem: true)

            /// Trusts the certificates in `bytes`, in PEM form, and the system's only if `includingSystem` is `true`.
            public static func pem(_ bytes: Data, includingSystem: Bool = false) -> TrustRoots {
                TrustRoots(pem: bytes, includesSystem: includingSystem)
            }

            /// Trusts the certificates in `file`, in PEM form, and the system's only if `includingSystem` is `true`. The
            /// file is read immediately.
            public static func pemFile(_ file: URL, includingSystem: Bool = false) throws(ImageError) -> TrustRoots {
                do {
                    return .pem(try Data(contentsOf: file), includingSystem: includingSystem)
                } catch {
                    throw ImageError(
                        .refused, .request,
                        "the file \(file.path) cannot be read; name another one in HTTPLoader.Configuration.trustRoots",
                        underlying: error)
                }
            }

            /// Whether only the system's authorities are trusted.
            var isSystem: Bool { pem == nil }

            /// The parsed certificates; `nil` when there are none or they cannot be parsed.
            var certificates: [NIOSSLCertificate]? {
                guard let pem, let certificates = try? NIOSSLCertificate.fromPEMBytes([UInt8](pem)) else { return nil }
                return certificates.isEmpty ? nil : certificates
            }

            /// Applies the trust roots to `settings`.
            func apply(to settings: inout TLSConfiguration) {
                guard !isSystem else { return }
                // If the certificates cannot be parsed, nothing else is trusted instead.
                if includesSystem {
                    settings.additionalTrustRoots.append(.certificates(certificates ?? []))
                } else {
                    settings.trustRoots = .certificates(certificates ?? [])
                }
            }
        }
    }
#endif
