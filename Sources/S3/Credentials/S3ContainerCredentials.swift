#if S3
    import AsyncHTTPClient
    import DarkroomCore
    import DarkroomPlatform
    import NIOHTTP1

    /// The credentials of a container, from the endpoint that its orchestrator names in environment variables.
    ///
    /// These are `AWS_CONTAINER_CREDENTIALS_FULL_URI` or `AWS_CONTAINER_CREDENTIALS_RELATIVE_URI`, and the optional token
    /// `AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE` or `AWS_CONTAINER_AUTHORIZATION_TOKEN`. An `http:` URL must have the
    /// address of this machine or of the endpoints of ECS and EKS, so that the token stays on it.
    public struct S3ContainerCredentials: S3CredentialsProvider {
        private static let localHosts: Set = ["localhost", "::1", "169.254.170.2", "169.254.170.23", "fd00:ec2::23"]

        private let environment: [String: String]
        private let endpoint: CredentialsEndpoint

        /// Creates a provider that reads `environment`, by default that of the process. `timeout` applies to one request.
        public init(environment: [String: String]? = nil, timeout: Duration = .seconds(2)) {
            let environment = environment ?? ProcessInfo.processInfo.environment
            self.environment = environment.filter { $0.key.hasPrefix("AWS_CONTAINER_") }
            endpoint = CredentialsEndpoint(name: "the container's credentials endpoint", timeout: timeout)
        }

        /// Returns the credentials; `nil` if the environment names no endpoint.
        public func credentials() async throws -> S3Credentials? {
            guard let url = try url else { return nil }
            let headers = try await headers
            let response = try await endpoint.connecting { client in
                try await endpoint.response(to: url.absoluteString, headers: headers, over: client)
            }
            guard response.status == 200 else { throw endpoint.error(response) }
            return try CredentialsDocument.credentials(in: response.body, from: endpoint.name)
        }

        private var url: URL? {
            get throws(ImageError) {
                if let path = environment.value(of: "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI") {
                    guard path.startsWithBytes(of: "/"), let url = URL(string: "http://169.254.170.2\(path)") else {
                        throw Self.invalid("AWS_CONTAINER_CREDENTIALS_RELATIVE_URI must be an absolute path")
                    }
                    return url
                }
                guard let text = environment.value(of: "AWS_CONTAINER_CREDENTIALS_FULL_URI") else { return nil }
                guard let url = URL(string: text), let host = url.host else {
                    throw Self.invalid("AWS_CONTAINER_CREDENTIALS_FULL_URI must be a URL")
                }
                guard url.scheme == "https" || url.scheme == "http" && Self.isLocal(host) else {
                    throw Self.invalid(
                        "AWS_CONTAINER_CREDENTIALS_FULL_URI must use https or the address of this machine")
                }
                return url
            }
        }

        private var headers: HTTPHeaders {
            get async throws {
                var token = environment.value(of: "AWS_CONTAINER_AUTHORIZATION_TOKEN")
                if let path = environment.value(of: "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE") {
                    guard let text = try await S3SharedFileCredentials.contents(of: path) else {
                        throw Self.invalid("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE names a file that does not exist")
                    }
                    token = String(decoding: text.utf8.filter { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
                }
                guard let token else { return [:] }
                guard token.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) else {
                    throw Self.invalid("the authorization token of the container contains invalid characters")
                }
                return ["Authorization": token]
            }
        }

        private static func isLocal(_ host: String) -> Bool {
            let host = host.filter { $0 != "[" && $0 != "]" }
            if localHosts.contains(host) { return true }
            let parts = host.fields(separatedBy: UInt8(ascii: ".")).map { Int(decimal: $0) ?? 256 }
            return parts.count == 4 && parts[0] == 127 && parts.allSatisfy { $0 < 256 }
        }

        private static func invalid(_ sentence: String) -> ImageError { ImageError(.refused, .request, sentence) }
    }

    // The environment may contain secrets.
    extension S3ContainerCredentials: CustomStringConvertible, CustomReflectable {
        /// The name of the type.
        public var description: String { "S3ContainerCredentials" }

        /// A mirror without children, so that `dump` prints no secrets.
        public var customMirror: Mirror { Mirror(self, children: []) }
    }

    extension S3CredentialsProvider where Self == S3ContainerCredentials {
        /// The credentials of the container.
        public static var container: Self { S3ContainerCredentials() }
    }
#endif
