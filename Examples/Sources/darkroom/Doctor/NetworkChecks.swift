import Darkroom

/// Checks the environment of the HTTP loader.
struct NetworkChecks {
    private static let proxyNames = ["http_proxy", "https_proxy", "all_proxy"]

    /// The files in which systems store the certificates of authorities.
    private static let trustFiles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem",
    ]

    let environment: [String: String]
    /// Returns whether there is a file at a path.
    let isFile: (_ path: String) -> Bool

    /// All checks of the network.
    var all: [Check] { [http, proxy, trust] }

    private var http: Check {
        let configuration = HTTPLoader.Configuration()
        let seconds = configuration.totalTimeout.map(\.asSeconds) ?? "no timeout"
        return Check(
            name: "http",
            finding: "\(configuration.transferLimit) concurrent transfers, timeout \(seconds), "
                + "\(configuration.redirectLimit) redirects")
    }

    private var proxy: Check {
        let names = environment.filter { !$0.value.isEmpty }.keys.filter { Self.proxyNames.contains($0.lowercased()) }
        guard !names.isEmpty else { return Check(name: "proxy", finding: "none") }
        return Check(
            name: "proxy", status: .note,
            finding: "\(names.sorted().joined(separator: ", ")) is set, but proxies in the environment are ignored")
    }

    private var trust: Check {
        guard let file = Self.trustFiles.first(where: isFile) else {
            return Check(
                name: "trust", status: .note,
                finding: "no certificate authorities were found, so https may fail; install ca-certificates")
        }
        return Check(name: "trust", finding: file)
    }
}
