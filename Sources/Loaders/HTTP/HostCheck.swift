#if HTTP
    import DarkroomCore

    /// Resolves the address that a request connects to, and enforces the address policy.
    struct HostCheck: Sendable {
        /// Resolves the addresses of a host.
        typealias Lookup = @Sendable (_ host: String) async throws -> [IPAddress]

        /// The maximum number of addresses tried for each host: a name may resolve to any number.
        private static let addressLimit = 4

        private let policy: HTTPLoader.AddressPolicy
        private let overrides: [String: String]
        private let lookup: Lookup

        /// Creates a check with the policy of `configuration`; `nil` when it allows every address. `overrides` maps
        /// names to other names or addresses.
        init?(_ configuration: HTTPLoader.Configuration, overrides: [String: String]) {
            guard configuration.addressPolicy.allows != nil else { return nil }
            policy = configuration.addressPolicy
            self.overrides = overrides
            lookup = configuration.lookup ?? SystemLookup().addresses
        }

        /// Returns the addresses to connect to for `host`, best first. All its addresses have been checked, with a
        /// single lookup.
        func pins(for host: String) async throws -> [Connections.Pin] {
            if let address = try literalAddress(of: host) { return [Connections.Pin(host: host, address: address)] }
            let addresses = try await lookup(overrides[host] ?? host)
            guard !addresses.isEmpty else { throw ImageError(.network, .load, "the host \(host) has no address") }
            try check(addresses, of: host)
            return addresses.prefix(Self.addressLimit).map { Connections.Pin(host: host, address: $0) }
        }

        /// Returns the address that `host` is written as or overridden with; `nil` for a name.
        ///
        /// - Throws: An error if the address is not allowed, or if `host` is neither a plain name nor a plain address.
        func literalAddress(of host: String) throws(ImageError) -> IPAddress? {
            let target = overrides[host] ?? host
            guard let address = IPAddress(target) else {
                guard target.isHostName else {
                    throw ImageError(
                        .refused, .load,
                        "the host is neither a plain name nor a plain address; "
                            + "HTTPLoader.Configuration.addressPolicy = .any accepts it")
                }
                return nil
            }
            try check([address], of: host)
            return address
        }

        /// Returns whether the policy allows `host` to have been reached at `address`. An unknown address is not
        /// permitted.
        func permits(_ address: String?, of host: String) -> Bool {
            guard let address = address.flatMap(IPAddress.init) else { return false }
            return policy.permits(address, of: host.lowercased())
        }

        private func check(_ addresses: [IPAddress], of host: String) throws(ImageError) {
            let host = host.asciiLowercased
            guard addresses.allSatisfy({ policy.permits($0, of: host) }) else {
                // Naming the address would reveal the structure of the internal network to a stranger.
                throw ImageError(
                    .refused, .load,
                    "the address of \(host) is not allowed; allow it with HTTPLoader.Configuration.addressPolicy")
            }
        }
    }

    extension String {
        /// Whether this is a name that no resolver reads as a number.
        ///
        /// The system reads `127.1`, `0177.0.0.1`, `0x7f000001` and `2130706433` as addresses because of their last
        /// part.
        fileprivate var isHostName: Bool {
            let labels = (utf8.last == UInt8(ascii: ".") ? Substring(utf8.dropLast()) : self[...])
                .fields(separatedBy: UInt8(ascii: "."))
            guard let last = labels.last, !last.isDecimal, !last.startsIgnoringASCIICase(with: "0x") else {
                return false
            }
            return labels.allSatisfy { label in
                !label.isEmpty && label.utf8.allSatisfy { $0.isASCIIAlphanumeric || "-_".utf8.contains($0) }
            }
        }
    }
#endif
