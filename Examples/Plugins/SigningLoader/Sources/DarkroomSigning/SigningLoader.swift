import Crypto
public import DarkroomCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A loader that signs the URL of each request to certain hosts, and forwards it to another loader.
///
/// It adds the query items `expires` and `signature`: the end of the URL's validity in seconds since 1970, and the
/// HMAC-SHA256 of path and query up to there, in hexadecimal. Caches never see them, because their keys are made before
/// a loader is called.
public struct SigningLoader<Base: ImageLoader>: LoaderWrapper {
    /// The loader that receives the signed requests.
    public let base: Base

    private let key: SymmetricKey
    private let hosts: Set<String>
    private let lifetime: Int
    private let now: @Sendable () -> Date

    /// Creates a loader around `base` that signs the requests to `hosts` with `key`, which has at least 16 bytes.
    ///
    /// Each URL is valid for at least `lifetime` seconds. It changes only once in that time, so that shared caches on
    /// the way can store the response and revalidate it.
    public init(
        _ base: Base, key: Data, hosts: some Sequence<String>, lifetime: Int = 3600,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        self.base = base
        self.key = SymmetricKey(data: key)
        self.hosts = Set(hosts.map { $0.lowercased() })
        self.lifetime = lifetime
        self.now = now
    }

    /// Loads the signed request with the base.
    public func load(_ request: LoadRequest) async throws -> LoadResponse { try await base.load(signed(request)) }

    /// Returns the header fields that the base would send for the signed request.
    public func requestFields(for request: LoadRequest) -> [String: String] {
        base.requestFields(for: signed(request))
    }

    /// Checks the signed request with the base.
    public func check(_ request: LoadRequest) throws(ImageError) { try base.check(signed(request)) }

    /// Returns whether the base permits the signed request to use what was fetched by `route`.
    public func permits(_ route: SourceRoute?, for request: LoadRequest) -> Bool {
        base.permits(route, for: signed(request))
    }

    /// Checks the key, the hosts and the lifetime, and then the base.
    public func validate() throws(ImageError) {
        guard key.bitCount >= 128 else {
            throw ImageError(
                .refused, .request, "the signing key has \(key.bitCount / 8) bytes, but must have at least 16")
        }
        guard !hosts.isEmpty else { throw ImageError(.refused, .request, "hosts is empty; add a host to sign for") }
        guard lifetime > 0 else {
            throw ImageError(.refused, .request, "lifetime is \(lifetime) s, but must be at least 1 s")
        }
        try base.validate()
    }

    private func signed(_ request: LoadRequest) -> LoadRequest {
        guard let host = request.url.host()?.lowercased(), hosts.contains(host) else { return request }
        var request = request
        request.url = signed(request.url)
        return request
    }

    private func signed(_ url: URL) -> URL {
        guard var components = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return url }
        let period = Int(now().timeIntervalSince1970) / lifetime
        let query = components.percentEncodedQuery.map { "\($0)&" } ?? ""
        let text = "\(query)expires=\((period + 2) * lifetime)"
        let signature = HMAC<SHA256>.authenticationCode(
            for: Data("\(components.percentEncodedPath)?\(text)".utf8), using: key)
        components.percentEncodedQuery = "\(text)&signature=\(signature.hexadecimal)"
        return components.url ?? url
    }
}

extension ImageLoader {
    /// Returns this loader with requests to `hosts` signed with `key`, as ``SigningLoader`` does.
    public func signing(_ hosts: some Sequence<String>, key: Data, lifetime: Int = 3600) -> SigningLoader<Self> {
        SigningLoader(self, key: key, hosts: hosts, lifetime: lifetime)
    }
}

extension Sequence where Element == UInt8 {
    fileprivate var hexadecimal: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
