#if HTTP
    import DarkroomCore

    extension HTTPLoader {
        /// The addresses that an `HTTPLoader` may connect to: a defence against URLs that make a server fetch from its
        /// own network (SSRF).
        ///
        /// Unless the policy is `any`, the loader resolves each host once for each request and again after each
        /// redirect. Every resolved address must be allowed, and so must every IPv4 address embedded in an IPv6 one;
        /// the loader then connects to one of exactly these addresses. Hosts that are numbers in an unusual form
        /// (`127.1`, `0x7f000001`) or contain a zone are refused.
        public struct AddressPolicy: Sendable {
            /// Decides whether one address of a host is allowed; `nil` when every address is, so that no host needs to
            /// be resolved.
            let allows: (@Sendable (_ address: IPAddress, _ host: String) -> Bool)?

            /// The networks that could not be parsed. They allow no address.
            let invalidNetworks: [String]

            private init(
                invalidNetworks: [String] = [], _ allows: (@Sendable (_ address: IPAddress, _ host: String) -> Bool)?
            ) {
                self.allows = allows
                self.invalidNetworks = invalidNetworks
            }

            /// Creates a policy that allows the addresses for which `allows` returns `true`.
            ///
            /// The host is in lower case. An IPv4 address embedded in an IPv6 one is checked separately as well.
            public init(_ allows: @escaping @Sendable (_ address: IPAddress, _ host: String) -> Bool) {
                self.init(invalidNetworks: [], allows)
            }

            /// Allows every address and lets the system resolve names. For programs that choose their URLs themselves.
            public static let any = AddressPolicy(invalidNetworks: [], nil)

            /// Allows the addresses whose `IPAddress.isPublic` is `true`. For servers that load URLs supplied by
            /// clients.
            public static let publicOnly = AddressPolicy { address, _ in address.isPublic }

            /// Allows the addresses in `networks`, such as `10.1.0.0/16`, `2001:db8::/32` or `192.0.2.1`.
            public static func networks(_ networks: String...) -> AddressPolicy {
                let known = networks.compactMap(IPNetwork.init)
                return AddressPolicy(invalidNetworks: networks.filter { IPNetwork($0) == nil }) { address, _ in
                    known.contains { $0.contains(address) }
                }
            }

            /// Allows the hosts with these names, ignoring case, at any address: it trusts whoever controls their DNS
            /// records.
            public static func hosts(_ hosts: String...) -> AddressPolicy {
                let known = Set(hosts.map(\.asciiLowercased))
                return AddressPolicy { _, host in known.contains(host) }
            }

            /// Returns a policy that allows every address that this policy or `other` allows.
            public func or(_ other: AddressPolicy) -> AddressPolicy {
                let invalidNetworks = invalidNetworks + other.invalidNetworks
                guard let allows, let others = other.allows else {
                    return AddressPolicy(invalidNetworks: invalidNetworks, nil)
                }
                return AddressPolicy(invalidNetworks: invalidNetworks) { allows($0, $1) || others($0, $1) }
            }

            /// Returns whether the policy allows connecting to `host` at `address`.
            func permits(_ address: IPAddress, of host: String) -> Bool {
                guard let allows else { return true }
                return allows(address, host) && address.embedded.allSatisfy { allows($0, host) }
            }
        }
    }
#endif
