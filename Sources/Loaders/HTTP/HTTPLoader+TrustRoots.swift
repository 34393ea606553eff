#if HTTP
    public import DarkroomCore
    import DarkroomHTTPGuard
    public import DarkroomPlatform

    extension HTTPLoader {
        /// The certificate authorities that are trusted to identify `https:` origins.
        public struct TrustRoots: Sendable {
            let authorities: CertificateAuthorities

            /// Trusts the system's authorities.
            public static let system = TrustRoots(authorities: .system)

            /// Trusts the certificates in `bytes`, in PEM form, and the system's only if `includingSystem` is `true`.
            public static func pem(_ bytes: Data, includingSystem: Bool = false) -> TrustRoots {
                TrustRoots(authorities: .pem(bytes, includesSystem: includingSystem))
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
        }
    }
#endif
