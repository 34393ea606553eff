public import DarkroomPlatform

/// An XMP packet: metadata as XML, which is passed on but not interpreted.
public struct XMP: Hashable, Sendable, Codable {
    /// The packet, in UTF-8.
    public let data: Data

    /// Creates a packet of `data`; `nil` if it does not begin like XML in UTF-8.
    public init?(_ data: Data) {
        let spaces: [UInt8] = [0x20, 0x09, 0x0A, 0x0D]
        let start = (data.starts(with: [0xEF, 0xBB, 0xBF]) ? data.dropFirst(3) : data).first { !spaces.contains($0) }
        guard start == UInt8(ascii: "<") else { return nil }
        self.data = Data(data)
    }
}
