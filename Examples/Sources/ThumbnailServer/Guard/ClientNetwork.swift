#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The identity of a client for rate limits: an IPv4 address, or the /64 prefix of an IPv6 address.
///
/// A single machine is given a whole /64, and may use another address of it for each request. An IPv4 address that is
/// written as an IPv6 one (`::ffff:192.0.2.1`) is that IPv4 address.
enum ClientNetwork: Hashable, Sendable {
    case address(UInt32)
    case prefix(UInt64)
    case unknown

    /// The network of `text`: an address, which may stand in brackets and have a port behind it. `nil` for other text.
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

    /// `192.0.2.1` of `192.0.2.1:8080`.
    private static func withoutPort(_ text: [UInt8]) -> [UInt8] { Array(text.prefix { $0 != UInt8(ascii: ":") }) }

    /// `2001:db8::1` of `[2001:db8::1]:8080`.
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
