#if HTTP
    import DarkroomPlatform

    /// An IP address. An IPv4-mapped IPv6 address, such as `::ffff:192.0.2.1`, is treated as the IPv4 address.
    public struct IPAddress: Hashable, Sendable {
        /// The address as a number.
        let bits: UInt128

        /// The number of bits: 32 or 128.
        let bitCount: Int

        /// Parses the standard form of an address, such as `192.0.2.1` or `2001:db8::1`.
        ///
        /// Returns `nil` for anything else, short and octal forms and zones included.
        public init?(_ text: String) {
            guard text.utf8.allSatisfy({ $0 != 0 }) else { return nil }
            var four = in_addr()
            var six = in6_addr()
            if unsafe inet_pton(AF_INET, text, &four) == 1 {
                self.init(four)
            } else if unsafe inet_pton(AF_INET6, text, &six) == 1 {
                self.init(six)
            } else {
                return nil
            }
        }

        /// Creates an address from the system's IPv4 structure.
        init(_ address: in_addr) { self.init(v4: UInt128(UInt32(bigEndian: address.s_addr))) }

        /// Creates an address from the system's IPv6 structure.
        init(_ address: in6_addr) {
            let bits = unsafe withUnsafeBytes(of: address) { unsafe $0.reduce(UInt128(0)) { $0 << 8 | UInt128($1) } }
            if bits >> 32 == 0xFFFF {
                self.init(v4: bits)
            } else {
                self.init(bits: bits, bitCount: 128)
            }
        }

        private init(v4 bits: UInt128) { self.init(bits: bits & 0xFFFF_FFFF, bitCount: 32) }

        private init(bits: UInt128, bitCount: Int) {
            self.bits = bits
            self.bitCount = bitCount
        }

        /// Whether it is an IPv6 address.
        var isV6: Bool { bitCount == 128 }

        /// The IPv4 addresses embedded in this one, which packets sent to it may end up at: by NAT64 (RFC 6052), 6to4
        /// (RFC 3056), Teredo (RFC 4380), ISATAP (RFC 5214), stateless translation (RFC 2765) and the deprecated
        /// compatible form (RFC 4291, section 2.5.5.1).
        var embedded: [IPAddress] {
            guard isV6 else { return [] }
            let nat64 = bits >> 32 == 0x64_FF9B << 64 || bits >> 80 == 0x64_FF9B_0001
            let isISATAP = [0x5EFE, 0x0200_5EFE].contains(bits >> 32 & 0xFFFF_FFFF)
            var embedded: [IPAddress] = []
            let isTranslated = bits >> 32 == 0xFFFF_0000
            if nat64 || isISATAP || isTranslated || bits >> 32 == 0 { embedded.append(IPAddress(v4: bits)) }
            if bits >> 112 == 0x2002 { embedded.append(IPAddress(v4: bits >> 80)) }
            if bits >> 96 == 0x2001_0000 { embedded += [IPAddress(v4: bits >> 64), IPAddress(v4: ~bits)] }
            return embedded
        }
    }

    extension IPAddress: CustomStringConvertible {
        /// The standard form of the address, without the compression of zeros.
        public var description: String {
            let width = isV6 ? 16 : 8
            let parts = stride(from: bitCount - width, through: 0, by: -width).map { shift in
                // Formatting 32 bits takes less time than 128.
                let part = UInt32(truncatingIfNeeded: bits >> UInt128(shift)) & ((1 << UInt32(width)) - 1)
                return String(part, radix: isV6 ? 16 : 10)
            }
            return parts.joined(separator: isV6 ? ":" : ".")
        }
    }
#endif
