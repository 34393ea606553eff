#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

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

    /// The same packet with upright orientation; unchanged if it has no orientation.
    public var upright: XMP {
        var copy = data
        for place in copy.span.orientationPlaces { copy[copy.startIndex + place] = UInt8(ascii: "1") }
        return XMP(copy) ?? self
    }
}

extension Span<UInt8> {
    /// The places of the digits of `Orientation` properties, as attributes or as elements.
    fileprivate var orientationPlaces: [Int] {
        let name = Array(":Orientation".utf8)
        var places: [Int] = []
        for start in indices where self[start] == name[0] && start + name.count < count {
            guard name.indices.allSatisfy({ self[start + $0] == name[$0] }) else { continue }
            var place = start + name.count
            skipSpaces(at: &place)
            guard place < count, self[place] == UInt8(ascii: "=") || self[place] == UInt8(ascii: ">") else { continue }
            let isAttribute = self[place] == UInt8(ascii: "=")
            place += 1
            skipSpaces(at: &place)
            if isAttribute {
                guard place < count, self[place] == UInt8(ascii: "\"") || self[place] == UInt8(ascii: "'") else {
                    continue
                }
                place += 1
            }
            if place < count, (UInt8(ascii: "2")...UInt8(ascii: "8")).contains(self[place]) { places.append(place) }
        }
        return places
    }

    private func skipSpaces(at place: inout Int) {
        // XML allows any number. A limit keeps the time linear.
        let end = Swift.min(count, place + 16)
        while place < end, [0x20, 0x09, 0x0A, 0x0D].contains(self[place]) { place += 1 }
    }
}
