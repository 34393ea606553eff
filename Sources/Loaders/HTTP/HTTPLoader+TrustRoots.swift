#if HTTP
    public import DarkroomCore
    import NIOSSL

    #if canImport(FoundationEssentials)
        public import FoundationEssentials
    #else
        public import Foundation
    #endif

    extension HTTPLoader {
        /// Whose word on the identity of an `https:` origin is believed.
        public struct TrustRoots: Sendable {
            /// Certificates in PEM form; `nil` for those of the system.
            private let pem: Data?
            private let isBesideSystem: Bool

            /// The authorities that the system trusts.
            public static let system = TrustRoots(pem: nil, isBesideSystem: true)

            /// The certificates in `bytes`, in PEM form, and the system's only with `besidesSystem`.
            public static func pem(_ bytes: Data, besidesSystem: Bool = false) -> TrustRoots {
                TrustRoots(pem: bytes, isBesideSystem: besidesSystem)
            }

            /// The certificates in `file`, in PEM form, which is read now; the system's only with `besidesSystem`.
            public static func pemFile(_ file: URL, besidesSystem: Bool = false) throws(ImageError) -> TrustRoots {
                do {
                    return .pem(try Data(contentsOf: file), besidesSystem: besidesSystem)
                } catch {
                    throw ImageError(
                        .refused, .request,
                        "the file \(file.path) cannot be read; name another one in HTTPLoader.Configuration.trustRoots",
                        underlying: error)
                }
            }

            /// Whether they are the system's alone.
            var isSystem: Bool { pem == nil }

            /// The certificates; `nil` when they cannot be read or there are none.
            var certificates: [NIOSSLCertificate]? {
                guard let pem, let certificates = try? NIOSSLCertificate.fromPEMBytes([UInt8](pem)) else { return nil }
                return certificates.isEmpty ? nil : certificates
            }

            /// Puts them into `settings`.
            func apply(to settings: inout TLSConfiguration) {
                guard !isSystem else { return }
                // Certificates that cannot be read are no reason to trust others.
                if isBesideSystem {
                    settings.additionalTrustRoots.append(.certificates(certificates ?? []))
                } else {
                    settings.trustRoots = .certificates(certificates ?? [])
                }
            }
        }
    }
#endif
