#if HTTP
    import DarkroomCore

    /// Decides to which address a request goes, by the address policy.
    struct HostCheck: Sendable {
        /// Finds the addresses of a host.
        typealias Lookup = @Sendable (_ host: String) async throws -> [IPAddress]

        /// How many addresses of a host are tried: a name may stand for any number.
        private static let addressLimit = 4

        private let policy: HTTPLoader.AddressPolicy
        private let overrides: [String: String]
        private let lookup: Lookup

        /// A check by the policy of `configuration`; `nil` when it allows everything. `overrides` are names that stand for
        /// others.
        init?(_ configuration: HTTPLoader.Configuration, overrides: [String: String]) {
            guard configuration.addressPolicy.allows != nil else { return nil }
            policy = configuration.addressPolicy
            self.overrides = overrides
            lookup = configuration.lookup ?? SystemLookup().addresses
        }

        /// Where to connect to for `host`, best first. All of its addresses were found to be allowed, with one look-up.
        func pins(for host: String) async throws -> [Connections.Pin] {
            if let address = try literalAddress(of: host) { return [Connections.Pin(host: host, address: address)] }
            let addresses = try await lookup(overrides[host] ?? host)
            guard !addresses.isEmpty else { throw ImageError(.network, .load, "\(host) has no address") }
            try check(addresses, of: host)
            return addresses.prefix(Self.addressLimit).map { Connections.Pin(host: host, address: $0) }
        }

        /// The address that `host` is, or stands for without a look-up; `nil` for a name. An error when it is not allowed, or
        /// neither.
        func literalAddress(of host: String) throws(ImageError) -> IPAddress? {
            let target = overrides[host] ?? host
            guard let address = IPAddress(target) else {
                guard target.isHostName else {
                    throw ImageError(
                        .refused, .load,
                        "the host is neither a plain name nor a plain address; "
                            + "only HTTPLoader.Configuration.addressPolicy = .any takes it")
                }
                return nil
            }
            try check([address], of: host)
            return address
        }

        /// Whether `host` may have been reached at `address`. An address that is not known may be any.
        func permits(_ address: String?, of host: String) -> Bool {
            guard let address = address.flatMap(IPAddress.init) else { return false }
            return policy.permits(address, of: host.lowercased())
        }

        private func check(_ addresses: [IPAddress], of host: String) throws(ImageError) {
            let host = host.asciiLowercased
            guard addresses.allSatisfy({ policy.permits($0, of: host) }) else {
                // Which address it is would tell a stranger how our network looks.
                throw ImageError(
                    .refused, .load,
                    "the address of \(host) is not allowed; allow it with HTTPLoader.Configuration.addressPolicy")
            }
        }
    }

    extension String {
        /// Whether it is a name that nobody takes for a number.
        ///
        /// The system takes `127.1`, `0177.0.0.1`, `0x7f000001` and `2130706433` for addresses, as their last part says.
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
