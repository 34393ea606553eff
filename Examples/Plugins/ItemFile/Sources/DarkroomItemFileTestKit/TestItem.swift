public import Foundation

/// An image in a file for tests.
public struct TestItem {
    /// The type of the item, such as `grid`.
    public var type: String

    /// The size in its property.
    public var width, height: Int

    /// Its bytes in the box `idat`; `nil` if it has all bytes of the box `mdat`.
    public var payload: Data?

    /// The numbers of the items it refers to, from 1 on, by the type of the reference.
    public var references: [String: [Int]]

    /// Its other properties.
    public var properties: [Data]

    /// Creates an image.
    public init(
        _ type: String, _ width: Int, _ height: Int, payload: Data? = nil, references: [String: [Int]] = [:],
        properties: [Data] = []
    ) {
        (self.type, self.width, self.height) = (type, width, height)
        (self.payload, self.references, self.properties) = (payload, references, properties)
    }

    /// Creates an image that is made from `parts`, on a canvas of the size `canvas`, or of that in its property.
    public init(
        _ type: String, _ width: Int, _ height: Int, canvas: (width: Int, height: Int)? = nil, parts: [Int]
    ) {
        let canvas = canvas ?? (width, height)
        let rowCount = (1...256).first { parts.count % $0 == 0 && parts.count / $0 <= 256 } ?? 256
        let counts = [rowCount, parts.count / rowCount].map { UInt8(clamping: $0 - 1) }
        let start = Data([0, 1]) + (type == "grid" ? Data(counts) : Data(count: 8))
        let size = BoxBuilder.number(canvas.width, 4) + BoxBuilder.number(canvas.height, 4)
        // The places of the parts of an overlay.
        let places = Data(count: type == "iovl" ? 8 * parts.count : 0)
        self.init(type, width, height, payload: start + size + places, references: ["dimg": parts])
    }
}

extension BoxBuilder {
    /// Returns a file of images, the first of which is the primary one, with `media` in a box `mdat`.
    public static func file(brand: String, items: [TestItem], media: Data = Data()) -> Data {
        let brands = box("ftyp", [Data(brand.utf8), number(0, 4), Data(brand.utf8), Data("mif1".utf8)])
        let start = brands + box("mdat", [media])
        var (entries, references, locations, associations): ([Data], [Data], [Data], [Data]) = ([], [], [], [])
        var (payloads, properties) = (Data(), [Data]())
        for (index, item) in items.enumerated() {
            let id = number(index + 1, 2)
            entries.append(box("infe", version: 2, [id, number(0, 2), Data(item.type.utf8), Data(count: 1)]))
            for (type, others) in item.references.sorted(by: { $0.key < $1.key }) {
                references.append(box(type, [id, number(others.count, 2)] + others.map { number($0, 2) }))
            }
            let (method, offset) = item.payload == nil ? (0, start.count - media.count) : (1, payloads.count)
            let length = item.payload?.count ?? media.count
            locations += [id, number(method, 2), number(0, 2), number(1, 2), number(offset, 4), number(length, 4)]
            payloads += item.payload ?? Data()
            let size = box("ispe", version: 0, [number(item.width, 4), number(item.height, 4)])
            var numbers: [Data] = []
            for property in [size] + item.properties {
                if !properties.contains(property) { properties.append(property) }
                numbers.append(number((properties.firstIndex(of: property) ?? 0) + 1, 1))
            }
            associations += [id, number(numbers.count, 1)] + numbers
        }
        let meta = [
            box("hdlr", version: 0, [number(0, 4), Data("pict".utf8), Data(count: 13)]),
            box("pitm", version: 0, [number(1, 2)]),
            box("iinf", version: 0, [number(items.count, 2)] + entries),
            box("iref", version: 0, references),
            box("iloc", version: 1, [number(0x4400, 2), number(items.count, 2)] + locations),
            box("idat", [payloads]),
            box("iprp", [box("ipco", properties), box("ipma", version: 0, [number(items.count, 4)] + associations)]),
        ]
        return start + box("meta", version: 0, meta)
    }

    /// Returns the first box of `type` in `data`, with its header, whose size has four bytes.
    public static func firstBox(_ type: String, in data: Data) -> Data? {
        guard let name = data.firstRange(of: Data(type.utf8)), name.lowerBound >= data.startIndex + 4 else {
            return nil
        }
        let start = data[(name.lowerBound - 4)...]
        return Data(start.prefix(start.prefix(4).reduce(0) { $0 << 8 | Int($1) }))
    }
}
