#if HTTP
    import DarkroomCore

    /// A block of addresses, such as `10.0.0.0/8`.
    struct IPNetwork: Sendable {
        private let address: IPAddress
        private let prefixLength: Int

        /// Parses a block of addresses; a single address is a block of one. Returns `nil` for anything else.
        init?(_ text: String) {
            let parts = text.fields(separatedBy: UInt8(ascii: "/"))
            guard let address = parts.first.flatMap({ IPAddress(String($0)) }) else { return nil }
            let length = parts.count == 1 ? address.bitCount : Int(decimal: parts[1])
            guard let length, parts.count <= 2, length <= address.bitCount else { return nil }
            self.address = address
            prefixLength = length
        }

        /// Returns whether the block contains `other`.
        func contains(_ other: IPAddress) -> Bool {
            guard other.bitCount == address.bitCount else { return false }
            let shift = UInt128(address.bitCount - prefixLength)
            return other.bits >> shift == address.bits >> shift
        }
    }
#endif
