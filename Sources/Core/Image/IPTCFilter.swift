import DarkroomPlatform

/// Copies IPTC metadata (IIM 4.1) for a picture that was made from the image it describes.
enum IPTCFilter {
    /// Returns the datasets of `data` of these kinds that remain true, up to the first broken one. `nil` if there are none.
    static func filtered(_ data: Data, keeping kinds: MetadataKinds) -> Data? {
        let bytes = data.span
        var (kept, position, isEmpty) = (Data(), 0, true)
        while let end = endOfDataset(at: position, in: bytes) {
            let (record, dataset) = (bytes[position + 1], bytes[position + 2])
            let isFrame = isFrame(record: record, dataset: dataset)
            if isKept(record: record, dataset: dataset), isFrame || isAny(of: kinds, record: record, dataset: dataset) {
                kept.append(data[(data.startIndex + position)..<(data.startIndex + end)])
                isEmpty = isEmpty && isFrame && !kinds.contains(.iptc)
            }
            position = end
        }
        return isEmpty ? nil : kept
    }

    /// Whether a dataset says how to read the others: the versions, and the character set.
    private static func isFrame(record: UInt8, dataset: UInt8) -> Bool {
        [1, 2].contains(record) && dataset == 0 || record == 1 && dataset == 90
    }

    private static func isAny(of kinds: MetadataKinds, record: UInt8, dataset: UInt8) -> Bool {
        let isApplication = record == 2
        if isApplication, locations.contains(dataset) { return kinds.contains(.location) }
        return kinds.contains(.iptc) || isApplication && copyrights.contains(dataset) && kinds.contains(.copyright)
    }

    /// By-line and its title, credit, source, copyright notice and contact.
    private static let copyrights: Set<UInt8> = [80, 85, 110, 115, 116, 118]

    /// The codes and names of the contents' locations, city, part of it, province, and the code and name of the country.
    private static let locations: Set<UInt8> = [26, 27, 90, 92, 95, 100, 101]

    /// Previews are datasets 200 to 202 of record 2, and the contents of records 7 to 9. Dataset 131 and record 3 describe
    /// the pixels of the original.
    private static func isKept(record: UInt8, dataset: UInt8) -> Bool {
        switch record {
        case 1, 4, 5, 6: true
        case 2: !(200...202).contains(dataset) && dataset != 131
        default: false
        }
    }

    /// Returns the end of the dataset at `position`; `nil` if it is broken, or there is none.
    private static func endOfDataset(at position: Int, in bytes: Span<UInt8>) -> Int? {
        guard position <= bytes.count - 5, bytes[position] == 0x1C else { return nil }
        var (start, count) = (position + 5, Int(bytes[position + 3]) << 8 | Int(bytes[position + 4]))
        if count >= 0x8000 {
            // The length of the length follows.
            let digitCount = count & 0x7FFF
            guard digitCount <= 4, digitCount <= bytes.count - start else { return nil }
            count = (start..<(start + digitCount)).reduce(0) { $0 << 8 | Int(bytes[$1]) }
            start += digitCount
        }
        return count <= bytes.count - start ? start + count : nil
    }
}
