#if S3
    import DarkroomHTTPGuard
    public import DarkroomPlatform

    /// The certificate authorities that are trusted to identify an `https:` endpoint.
    public struct S3TrustRoots: Sendable {
        let authorities: CertificateAuthorities

        /// Trusts the system's authorities.
        public static let system = S3TrustRoots(authorities: .system)

        /// Trusts the certificates in `bytes`, in PEM form, and the system's only if `includingSystem` is `true`.
        public static func pem(_ bytes: Data, includingSystem: Bool = false) -> S3TrustRoots {
            S3TrustRoots(authorities: .pem(bytes, includesSystem: includingSystem))
        }
    }
#endif
