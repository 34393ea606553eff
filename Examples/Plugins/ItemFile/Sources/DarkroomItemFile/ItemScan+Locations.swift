import DarkroomCore

extension ItemScan {
    /// Keeps the locations in the body of a box `iloc`, and counts its items, their extents, and the bytes of these.
    mutating func readLocations(_ body: BoxCursor) throws(ImageError) {
        var body = body
        // Libraries refuse later versions.
        guard let layout = try LocationLayout(&body), let itemCount = body.number(layout.countByteCount) else { return }
        try count(Int(itemCount), "items")
        for _ in 0..<itemCount {
            guard let item = body.number(layout.idByteCount), let method = body.number(layout.methodByteCount),
                body.skip(2), let base = body.number(layout.baseByteCount), let extentCount = body.number(2)
            else { return }
            try count(Int(extentCount), "extents")
            var extents: [ItemImages.Extent] = []
            for _ in 0..<extentCount {
                guard body.skip(layout.indexByteCount), let offset = body.number(layout.offsetByteCount),
                    let length = body.number(layout.lengthByteCount)
                else { return }
                try add(itemByteCount: readableByteCount(length, at: method & 15 == 0 ? base &+ offset : nil))
                extents.append(ItemImages.Extent(method: method & 15, offset: base &+ offset, length: length))
            }
            images.add(extents, of: item)
        }
    }

    /// Returns how many of `length` bytes a library can read, in the file at `start`, or elsewhere.
    private func readableByteCount(_ length: UInt64, at start: UInt64?) -> Int {
        let limit = UInt64(fileByteCount)
        guard let start else { return Int(min(length, limit)) }
        let (end, overflow) = start.addingReportingOverflow(length)
        // The first bytes of a file declare extents beyond their end.
        return Int(overflow ? min(length, limit) : min(end, limit) - min(start, limit))
    }
}

/// The sizes of the numbers in a box `iloc`.
private struct LocationLayout {
    let idByteCount, countByteCount, methodByteCount: Int
    let offsetByteCount, lengthByteCount, baseByteCount, indexByteCount: Int

    /// Reads the start of the box; `nil` if its version is unknown, or it ends there.
    init?(_ body: inout BoxCursor) throws(ImageError) {
        guard let version = body.number(1), version <= 2, body.skip(3), let sizes = body.number(2) else { return nil }
        (offsetByteCount, lengthByteCount) = (Int(sizes >> 12), Int(sizes >> 8 & 15))
        (baseByteCount, indexByteCount) = (Int(sizes >> 4 & 15), version == 0 ? 0 : Int(sizes & 15))
        (idByteCount, countByteCount) = version == 2 ? (4, 4) : (2, 2)
        methodByteCount = version == 0 ? 0 : 2
        // Libraries disagree on others.
        guard [offsetByteCount, lengthByteCount, baseByteCount, indexByteCount].allSatisfy({ [0, 4, 8].contains($0) })
        else {
            throw ImageError(.corrupt, .decode, "the offsets or lengths of the items in the file have an invalid size")
        }
    }
}
