#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The identity of a client for rate limits: an IPv4 address, or the /64 prefix of an IPv6 address.
///
/// A single machine usually has a whole /64, and may use a different address for each request. An IPv4-mapped IPv6
/// address (`::ffff:192.0.2.1`) is treated as the IPv4 address.
enum ClientNetwork: Hashable, Sendable {
    case address(UInt32)
    case prefix(UInt64)
    case unknown

    /// Parses an address, which may be in brackets and followed by a port; `nil` for any other text.
    init?(_ text: some Collection<UInt8>) {
        guard text.count <= 64, !text.contains(0) else { return nil }
        let text = Array(text)
        if let bytes = Self.bytes(of: Self.withoutPort(text), AF_INET, count: 4) {
            self = .address(Self.number(bytes[...]))
        } else if let bytes = Self.bytes(of: Self.withoutBrackets(text), AF_INET6, count: 16) {
            let isMapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10..<12].allSatisfy { $0 == 0xFF }
            self = isMapped ? .address(Self.number(bytes[12...])) : .prefix(Self.number(bytes[..<8]))
        } else {
            return nil
        }
    }

    /// Returns `192.0.2.1` for `192.0.2.1:8080`.
    private static func withoutPort(_ text: [UInt8]) -> [UInt8] { Array(text.prefix { $0 != UInt8(ascii: ":") }) }

    /// Returns `2001:db8::1` for `[2001:db8::1]:8080`.
    private static func withoutBrackets(_ text: [UInt8]) -> [UInt8] {
        guard text.first == UInt8(ascii: "[") else { return text }
        return Array(text.dropFirst().prefix { $0 != UInt8(ascii: "]") })
    }

    private static func bytes(of text: [UInt8], _ family: Int32, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return unsafe inet_pton(family, String(decoding: text, as: UTF8.self), &bytes) == 1 ? bytes : nil
    }

    private static func number<Number: FixedWidthInteger>(_ bytes: ArraySlice<UInt8>) -> Number {
        bytes.reduce(0) { $0 << 8 | Number($1) }
    }
}
