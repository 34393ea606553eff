public import Foundation

/// Files of boxes for tests, such as no encoder writes.
public enum BoxBuilder {
    /// Returns a big-endian number.
    public static func number(_ value: Int, _ byteCount: Int) -> Data {
        Data((0..<byteCount).map { UInt8(truncatingIfNeeded: value >> (8 * (byteCount - 1 - $0))) })
    }

    /// Returns a box, with a version and flags unless `version` is `nil`.
    public static func box(_ type: String, version: Int? = nil, flags: Int = 0, _ parts: [Data] = []) -> Data {
        let start = version.map { number($0 << 24 | flags, 4) } ?? Data()
        let body = start + Data(parts.joined())
        return number(8 + body.count, 4) + Data(type.utf8) + body
    }

    /// Returns a file of an image and `itemCount` blocks of Exif that belong to it. Each of them has all bytes of `payload`
    /// `extentCount` times.
    public static func file(brand: String, itemCount: Int, extentCount: Int, payload: Data) -> Data {
        let brands = box("ftyp", [Data(brand.utf8), number(0, 4), Data(brand.utf8), Data("mif1".utf8)])
        let start = brands + box("mdat", [payload])
        let extent = number(start.count - payload.count, 4) + number(payload.count, 4)
        let extents = Data([Data](repeating: extent, count: extentCount).joined())
        let ids = Array(1...(itemCount + 1))
        let entries = ids.map { id in
            let type = Data((id == 1 ? "hvc1" : "Exif").utf8)
            return box("infe", version: 2, [number(id, 2), number(0, 2), type, Data(count: 1)])
        }
        let references = ids.dropFirst().map { box("cdsc", [number($0, 2), number(1, 2), number(1, 2)]) }
        let locations = ids.flatMap { [number($0, 2), number(0, 2), number(extentCount, 2), extents] }
        let meta = [
            box("hdlr", version: 0, [number(0, 4), Data("pict".utf8), Data(count: 13)]),
            box("pitm", version: 0, [number(1, 2)]),
            box("iinf", version: 0, [number(ids.count, 2)] + entries),
            box("iref", version: 0, references),
            box("iloc", version: 0, [number(0x4400, 2), number(ids.count, 2)] + locations),
        ]
        return start + box("meta", version: 0, meta)
    }
}
