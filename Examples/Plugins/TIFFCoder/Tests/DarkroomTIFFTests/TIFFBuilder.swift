import Foundation

/// Writes small files, in grey by default: the directories, and 200 bytes of 7, which are the pixels of all pages.
enum TIFFBuilder {
    /// The number of bytes that are pixels, at the end of the file.
    static let pixelByteCount = 200

    /// A page: the values of its fields, and the numbers of bytes of further ones.
    struct Page {
        var fields: [Int: Int]
        let claims: [Int: Int]

        /// The number of strips if they are the same byte, at offset 8, and their tables have one byte per strip; 0 otherwise.
        let byteStripCount: Int

        /// Creates a page of 10×10 pixels in one strip or a few, or in `byteStripCount` ones.
        init(_ fields: [Int: Int], claims: [Int: Int] = [:], byteStripCount: Int = 0) {
            let standard = [256: 10, 257: 10, 258: 8, 259: 1, 262: 1, 277: 1, 278: 10]
            self.fields = standard.merging(fields) { $1 }
            (self.claims, self.byteStripCount) = (claims, byteStripCount)
            if isTiled { self.fields[278] = nil }
        }

        /// Whether the fields declare tiles.
        var isTiled: Bool { fields[322] != nil }

        /// The number of rows of a strip.
        var rowCount: Int { fields[278] ?? 10 }

        /// The number of strips. Those of huge pages are not written.
        var stripCount: Int {
            guard byteStripCount == 0 else { return byteStripCount }
            guard let height = fields[257], height <= 100, !isTiled else { return 1 }
            return (height + rowCount - 1) / rowCount
        }

        /// The number of entries of the directory.
        var entryCount: Int { fields.count + claims.count + 2 }

        /// The size of a value in the tables of strips.
        var tableUnit: Int { byteStripCount > 0 ? 1 : 4 }

        /// The size of the directory, the offset of the next, and the tables of strips.
        var byteCount: Int { 2 + 12 * entryCount + 4 + (stripCount > 1 ? 2 * tableUnit * stripCount : 0) }
    }

    /// Returns a page of 10×10 pixels in one strip, with some of its fields replaced.
    static func page(_ fields: [Int: Int], claims: [Int: Int] = [:]) -> Page { Page(fields, claims: claims) }

    /// Returns a file of CMYK and alpha in planes, one pixel wide, each of whose samples is a strip.
    static func planes(height: Int) -> Data {
        let fields = [256: 1, 257: height, 262: 5, 277: 5, 278: 1, 284: 2, 338: 2]
        return file([Page(fields, byteStripCount: 5 * height)])
    }

    /// Returns a file of `pages`.
    static func file(_ pages: [Page]) -> Data {
        let pixels = 8 + pages.reduce(0) { $0 + $1.byteCount }
        var file = Data([0x49, 0x49, 42, 0]) + number(8, 4)
        for (index, page) in pages.enumerated() {
            let next = index < pages.count - 1 ? file.count + page.byteCount : 0
            file += directory(page, at: file.count, next: next, pixels: pixels)
        }
        return file + Data(repeating: 7, count: pixelByteCount)
    }

    private static func directory(_ page: Page, at start: Int, next: Int, pixels: Int) -> Data {
        let (count, table) = (page.stripCount, start + 2 + 12 * page.entryCount + 4)
        var entries: [(tag: Int, type: Int, count: Int, value: Int)] = page.fields.map { ($0, 4, 1, $1) }
        entries += page.claims.map { ($0, 7, $1, 8) }
        let type = page.byteStripCount > 0 ? 1 : 4
        entries.append((page.isTiled ? 324 : 273, type, count, count > 1 ? table : pixels))
        entries.append((page.isTiled ? 325 : 279, type, count, count > 1 ? table + page.tableUnit * count : 100))
        var data = number(page.entryCount, 2)
        for entry in entries.sorted(by: { $0.tag < $1.tag }) {
            data += number(entry.tag, 2) + number(entry.type, 2) + number(entry.count, 4) + number(entry.value, 4)
        }
        data += number(next, 4)
        guard count > 1 else { return data }
        if page.byteStripCount > 0 { return data + Data(repeating: 8, count: count) + Data(repeating: 1, count: count) }
        let stripByteCount = page.rowCount * 10
        for strip in 0..<count { data += number(pixels + strip * stripByteCount, 4) }
        for _ in 0..<count { data += number(stripByteCount, 4) }
        return data
    }

    private static func number(_ value: Int, _ byteCount: Int) -> Data {
        Data((0..<byteCount).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) })
    }
}
