import DarkroomPlatform

/// Copies IPTC metadata (IIM 4.1) for a picture that was made from the image it describes.
enum IPTCFilter {
    /// Returns the datasets of `data` that remain true, up to the first broken one. `nil` if there are none.
    static func filtered(_ data: Data) -> Data? {
        let bytes = data.span
        var (kept, position) = (Data(), 0)
        while let end = endOfDataset(at: position, in: bytes) {
            if isKept(record: bytes[position + 1], dataset: bytes[position + 2]) {
                kept.append(data[(data.startIndex + position)..<(data.startIndex + end)])
            }
            position = end
        }
        return kept.isEmpty ? nil : kept
    }

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
