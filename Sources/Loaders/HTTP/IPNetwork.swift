#if HTTP
    /// A block of addresses, such as `10.0.0.0/8`.
    struct IPNetwork: Sendable {
        private let address: IPAddress
        private let prefixLength: Int

        /// The block that is written so; a lone address is a block of one. `nil` for all else.
        init?(_ text: String) {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            guard let address = parts.first.flatMap({ IPAddress(String($0)) }) else { return nil }
            let length = parts.count == 1 ? address.bitCount : parts[1].isDecimal ? Int(parts[1]) : nil
            guard let length, parts.count <= 2, length <= address.bitCount else { return nil }
            self.address = address
            prefixLength = length
        }

        /// Whether `other` lies in it.
        func contains(_ other: IPAddress) -> Bool {
            guard other.bitCount == address.bitCount else { return false }
            let shift = UInt128(address.bitCount - prefixLength)
            return other.bits >> shift == address.bits >> shift
        }
    }

    extension StringProtocol {
        /// Whether it is a number in decimal digits, without a sign.
        var isDecimal: Bool { !isEmpty && utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }
    }
#endif
