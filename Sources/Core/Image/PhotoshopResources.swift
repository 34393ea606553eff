package import DarkroomPlatform

/// The image resources of Photoshop, in which JPEG and PNG files store IPTC metadata.
package enum PhotoshopResources {
    private static let marker = Array("8BIM".utf8)
    private static let iptcIdentifier = 0x0404

    /// Returns the IPTC metadata in `resources`; `nil` if there is none, or the resources before it are invalid.
    package static func iptc(in resources: Data) -> Data? {
        let bytes = resources.span
        var position = 0
        // Each resource has a marker, an identifier, a name, and a content whose length precedes it; both are padded.
        while position + 7 <= bytes.count, marker.indices.allSatisfy({ bytes[position + $0] == marker[$0] }) {
            let identifier = Int(bytes[position + 4]) << 8 | Int(bytes[position + 5])
            let start = position + 6 + (1 + Int(bytes[position + 6]) + 1) / 2 * 2 + 4
            guard start <= bytes.count else { return nil }
            let count = (start - 4..<start).reduce(0) { $0 << 8 | Int(bytes[$1]) }
            guard count <= bytes.count - start else { return nil }
            if identifier == iptcIdentifier { return Data(resources.dropFirst(start).prefix(count)) }
            position = start + count + count % 2
        }
        return nil
    }

    /// Returns the resources with only `iptc`.
    package static func resources(iptc: Data) -> Data {
        var bytes = marker + [UInt8(iptcIdentifier >> 8), UInt8(iptcIdentifier & 255), 0, 0]
        bytes += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: iptc.count >> $0) }
        return Data(bytes) + iptc + Data(count: iptc.count % 2)
    }
}
