#if S3
    import AsyncHTTPClient
    import DarkroomCore
    public import DarkroomPlatform
    import NIOHTTP1

    /// The credentials of the role of a virtual machine, from its metadata endpoint (IMDSv2).
    ///
    /// The environment variable `AWS_EC2_METADATA_DISABLED` switches it off when it is `true`, and
    /// `AWS_EC2_METADATA_SERVICE_ENDPOINT` names another endpoint.
    public struct S3InstanceCredentials: S3CredentialsProvider {
        private static let rolesPath = "/latest/meta-data/iam/security-credentials/"

        private let base: String?
        private let endpoint: CredentialsEndpoint

        /// Creates a provider.
        ///
        /// - Parameters:
        ///   - endpoint: The endpoint; `nil` for that of the environment, or `http://169.254.169.254`.
        ///   - environment: The environment variables, by default those of the process.
        ///   - timeout: The time that each of three requests may take.
        public init(
            endpoint: URL? = nil, environment: [String: String]? = nil, timeout: Duration = .seconds(1)
        ) {
            let environment = environment ?? ProcessInfo.processInfo.environment
            let base =
                endpoint?.absoluteString ?? environment.value(of: "AWS_EC2_METADATA_SERVICE_ENDPOINT")
                ?? "http://169.254.169.254"
            let isDisabled = environment["AWS_EC2_METADATA_DISABLED"]?.equalsIgnoringASCIICase("true") ?? false
            self.base = isDisabled ? nil : base.hasSuffix("/") ? String(base.dropLast()) : base
            self.endpoint = CredentialsEndpoint(name: "the instance's metadata endpoint", timeout: timeout)
        }

        /// Returns the credentials; `nil` if there is no endpoint, or if the machine has no role.
        public func credentials() async throws -> S3Credentials? {
            guard let base else { return nil }
            return try await endpoint.connecting { client in
                guard let token = try await token(from: base, over: client) else { return nil }
                let headers: HTTPHeaders = ["X-aws-ec2-metadata-token": token]
                let roles = try await endpoint.response(to: base + Self.rolesPath, headers: headers, over: client)
                guard roles.status != 404 else { return nil }
                guard roles.status == 200, let role = Self.role(in: roles.body) else { throw endpoint.error(roles) }
                let document = try await endpoint.response(
                    to: base + Self.rolesPath + role, headers: headers, over: client)
                guard document.status == 200 else { throw endpoint.error(document) }
                return try CredentialsDocument.credentials(in: document.body, from: endpoint.name)
            }
        }

        /// Returns a token for the other requests; `nil` if there is no such endpoint.
        private func token(from base: String, over client: HTTPClient) async throws -> String? {
            let headers: HTTPHeaders = ["X-aws-ec2-metadata-token-ttl-seconds": "300"]
            let response: CredentialsEndpoint.Response
            do {
                response = try await endpoint.response(
                    to: base + "/latest/api/token", method: .PUT, headers: headers, over: client)
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                // Outside of a cloud the address is unreachable.
                return nil
            }
            guard response.status == 200 else { return nil }
            let token = String(decoding: response.body, as: UTF8.self)
            return token.utf8.allSatisfy { (0x20..<0x7F).contains($0) } ? token : nil
        }

        /// Returns the first line of the list of roles; `nil` if it is not the name of one.
        private static func role(in body: Data) -> String? {
            let name = body.prefix { $0 != 0x0A && $0 != 0x0D }
            guard !name.isEmpty, name.allSatisfy({ $0.isASCIIAlphanumeric || "+=,.@_-".utf8.contains($0) }) else {
                return nil
            }
            return String(decoding: name, as: UTF8.self)
        }
    }

    extension S3CredentialsProvider where Self == S3InstanceCredentials {
        /// The credentials of the virtual machine.
        public static var instance: Self { S3InstanceCredentials() }
    }
#endif
