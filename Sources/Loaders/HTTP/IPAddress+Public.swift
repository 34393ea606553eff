#if HTTP
    extension IPAddress {
        /// Whether the address is globally reachable: it means the same machine anywhere on the internet.
        ///
        /// Based on IANA's registries of special-purpose addresses (RFC 6890); doubtful cases count as not public.
        public var isPublic: Bool {
            if isV6 {
                return Self.globalUnicast.contains { $0.contains(self) }
                    && !Self.special6.contains { $0.contains(self) }
            }
            return !Self.special4.contains { $0.contains(self) }
        }

        // https://www.iana.org/assignments/iana-ipv4-special-registry
        private static let special4 = [
            "0.0.0.0/8",  // this network (RFC 791)
            "10.0.0.0/8",  // private use (RFC 1918)
            "100.64.0.0/10",  // shared with the provider (RFC 6598); some clouds' metadata services use it
            "127.0.0.0/8",  // loopback (RFC 1122)
            "168.63.129.16",  // Azure's host, seen from its virtual machines: public only in form
            "169.254.0.0/16",  // link local (RFC 3927), with the metadata services of most clouds
            "172.16.0.0/12",  // private use (RFC 1918)
            "192.0.0.0/24",  // protocol assignments (RFC 6890)
            "192.0.2.0/24",  // documentation (RFC 5737)
            "192.88.99.0/24",  // 6to4 relays, deprecated (RFC 7526)
            "192.168.0.0/16",  // private use (RFC 1918)
            "198.18.0.0/15",  // benchmarking (RFC 2544)
            "198.51.100.0/24",  // documentation (RFC 5737)
            "203.0.113.0/24",  // documentation (RFC 5737)
            "224.0.0.0/4",  // multicast (RFC 5771)
            "240.0.0.0/4",  // reserved (RFC 1112), and the broadcast address (RFC 8190)
        ].map(known)

        // https://www.iana.org/assignments/ipv6-address-space: nothing else has been allocated, so this excludes
        // loopback, unspecified, unique local (RFC 4193), link local (RFC 4291), site local, multicast and future
        // ranges.
        private static let globalUnicast = ["2000::/3", "64:ff9b::/96"].map(known)

        // https://www.iana.org/assignments/iana-ipv6-special-registry
        private static let special6 = [
            "2001::/23",  // protocol assignments (RFC 2928): Teredo, benchmarking, ORCHID and others
            "2001:db8::/32",  // documentation (RFC 3849)
            "3fff::/20",  // documentation (RFC 9637)
        ].map(known)

        private static func known(_ text: String) -> IPNetwork {
            guard let network = IPNetwork(text) else { preconditionFailure("\(text) is not a network") }
            return network
        }
    }
#endif
