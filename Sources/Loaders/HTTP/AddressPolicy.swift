#if HTTP
    import DarkroomCore

    extension HTTPLoader {
        /// To which addresses an `HTTPLoader` connects: a guard against URLs that make it fetch what only it can reach.
        ///
        /// All but `any` have the loader resolve each host once a request, again after each redirect. Every address that
        /// comes must be allowed, and so must every IPv4 address that an IPv6 one carries; then only one of these very
        /// addresses is connected to. Hosts that are numbers in an unusual form (`127.1`, `0x7f000001`) or have a zone
        /// are refused.
        public struct AddressPolicy: Sendable {
            /// Decides on one address of a host; `nil` when all are allowed and nothing need be resolved.
            let allows: (@Sendable (_ address: IPAddress, _ host: String) -> Bool)?

            /// What was written so that it cannot be understood; it allows nothing.
            let mistakes: [String]

            private init(
                mistakes: [String] = [], _ allows: (@Sendable (_ address: IPAddress, _ host: String) -> Bool)?
            ) {
                self.allows = allows
                self.mistakes = mistakes
            }

            /// A policy that allows those addresses of a host for which `allows` is true.
            ///
            /// The host is in lower case. An IPv4 address that an IPv6 one carries is asked for as well, by itself.
            public init(_ allows: @escaping @Sendable (_ address: IPAddress, _ host: String) -> Bool) {
                self.init(mistakes: [], allows)
            }

            /// Every address; names are left to the system. For programs whose URLs are their own.
            public static let any = AddressPolicy(mistakes: [], nil)

            /// The addresses for which `IPAddress.isPublic` holds. For servers that fetch what strangers name.
            public static let publicOnly = AddressPolicy { address, _ in address.isPublic }

            /// The addresses in `networks`, such as `10.1.0.0/16`, `2001:db8::/32` or `192.0.2.1`.
            public static func networks(_ networks: String...) -> AddressPolicy {
                let known = networks.compactMap(IPNetwork.init)
                return AddressPolicy(mistakes: networks.filter { IPNetwork($0) == nil }) { address, _ in
                    known.contains { $0.contains(address) }
                }
            }

            /// The hosts of these names, in any case, whatever their addresses are: whoever may name an address of theirs
            /// is trusted.
            public static func hosts(_ hosts: String...) -> AddressPolicy {
                let known = Set(hosts.map(\.asciiLowercased))
                return AddressPolicy { _, host in known.contains(host) }
            }

            /// What this policy or `other` allows.
            public func or(_ other: AddressPolicy) -> AddressPolicy {
                let mistakes = mistakes + other.mistakes
                guard let allows, let others = other.allows else { return AddressPolicy(mistakes: mistakes, nil) }
                return AddressPolicy(mistakes: mistakes) { allows($0, $1) || others($0, $1) }
            }

            /// Whether `host` may be reached at `address`.
            func permits(_ address: IPAddress, of host: String) -> Bool {
                guard let allows else { return true }
                return allows(address, host) && address.embedded.allSatisfy { allows($0, host) }
            }
        }
    }
#endif
