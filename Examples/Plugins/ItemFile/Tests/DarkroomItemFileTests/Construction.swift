import DarkroomItemFileTestKit
import Foundation

/// A way to make a library allocate memory with few bytes, or compare many things with each other.
enum Construction: CaseIterable {
    case boxes, entries, manyEntries, properties, tracks, sampleEntries, sampleProperties
    case locations, extentsWithoutBytes, references, referencedItems, referencesInOne
    case associatedItems, associations

    /// Returns a file with `count` of these.
    func file(_ count: Int) -> Data {
        let boxes = [Data](repeating: box("free"), count: count)
        let reference = box("cdsc", [Data(count: 4)])
        switch self {
        case .boxes: return Data(boxes.joined())
        case .entries: return meta(box("iinf", version: 0, [number(count, 2)] + boxes))
        case .manyEntries: return meta(box("iinf", version: 1, [number(count, 4)] + boxes))
        case .properties: return meta(box("iprp", [box("ipco", boxes)]))
        case .tracks: return box("moov", [Data](repeating: box("trak"), count: count))
        case .sampleEntries: return track(boxes)
        case .sampleProperties: return track([box("av01", [Data(count: 78)] + boxes)])
        case .locations: return locations([Data](repeating: Data(count: 6), count: count))
        case .extentsWithoutBytes: return locations([Data(count: 4) + number(count, 2)])
        case .references: return meta(box("iref", version: 0, [Data](repeating: reference, count: count)))
        case .referencedItems:
            let items = box("dimg", [Data(count: 4), number(count - 1, 2), Data(count: 4 * (count - 1))])
            return meta(box("iref", version: 1, [items]))
        case .referencesInOne:
            let others = [Data](repeating: reference, count: count - 1)
            return meta(box("iref", version: 0, [box("cdsc", [Data(count: 4)] + others)]))
        case .associatedItems: return associations(count, [Data](repeating: Data(count: 3), count: count))
        case .associations:
            return associations(1, [Data(count: 2), number(8 * count, 1), Data(count: 16 * count)])
        }
    }

    private func number(_ value: Int, _ byteCount: Int) -> Data { BoxBuilder.number(value, byteCount) }

    private func box(_ type: String, version: Int? = nil, flags: Int = 0, _ parts: [Data] = []) -> Data {
        BoxBuilder.box(type, version: version, flags: flags, parts)
    }

    private func meta(_ child: Data) -> Data { box("meta", version: 0, [child]) }

    /// Returns items whose offsets and lengths have no bytes.
    private func locations(_ items: [Data]) -> Data {
        meta(box("iloc", version: 0, [number(0, 2), number(items.count, 2)] + items))
    }

    /// Returns associations whose indices have two bytes.
    private func associations(_ count: Int, _ entries: [Data]) -> Data {
        meta(box("iprp", [box("ipma", version: 0, flags: 1, [number(count, 4)] + entries)]))
    }

    private func track(_ sampleEntries: [Data]) -> Data {
        let descriptions = box("stsd", version: 0, [number(sampleEntries.count, 4)] + sampleEntries)
        return ["stbl", "minf", "mdia", "trak", "moov"].reduce(descriptions) { box($1, [$0]) }
    }
}
