import Darkroom

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The files of a disk cache.
struct CacheListing {
    /// One file.
    struct Entry {
        /// The name of the file, without its folder.
        let name: String
        let byteCount: Int
        let storedAt: Date
        /// The header of the image; `nil` when it cannot be read.
        let info: ImageInfo?
    }

    let folder: URL

    /// All files, ordered by the time they were stored.
    var entries: [Entry] {
        let coders = CoderRegistry([PNGCoder(), JPEGCoder(), WebPCoder(), GIFCoder()])
        return shards.flatMap { shard in
            names(in: folder.appending(path: shard)).filter(isEntry)
                .compactMap { entry(at: folder.appending(path: shard).appending(path: $0), coders: coders) }
        }.sorted { ($0.storedAt, $0.name) < ($1.storedAt, $1.name) }
    }

    /// The subfolders of the entries, named with three hexadecimal digits.
    private var shards: [String] { names(in: folder).filter { $0.utf8.count == 3 && $0.utf8.allSatisfy(\.isHexDigit) } }

    /// Returns whether `name` is that of an entry: 32 hexadecimal digits, usually with an extension. Other files may
    /// lie beside them.
    private func isEntry(_ name: String) -> Bool {
        let digits = name.utf8.prefix { $0 != UInt8(ascii: ".") }
        return digits.count == 32 && digits.allSatisfy(\.isHexDigit)
    }

    private func names(in folder: URL) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    }

    private func entry(at file: URL, coders: CoderRegistry) -> Entry? {
        // A file that has been removed in the meantime is skipped.
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: file.path),
            let data = try? Data(contentsOf: file, options: .mappedIfSafe)
        else { return nil }
        return Entry(
            name: file.lastPathComponent, byteCount: data.count,
            storedAt: attributes[.modificationDate] as? Date ?? .distantPast, info: try? coders.info(of: data))
    }
}

extension CacheListing.Entry {
    /// The entry as a line of text.
    var line: String {
        let time = storedAt.formatted(.iso8601)
        let size = byteCount.asByteCount.padded(to: 8, onTheLeft: true)
        return "\(time)  \(size)  " + (info.map { "\($0.size)" } ?? "?").padded(to: 9, onTheLeft: true)
            + "  \((info?.format.description ?? "?").padded(to: 4))  \(name)"
    }

    /// The entry as JSON.
    var json: JSONLine {
        JSONLine([
            "file": name, "bytes": byteCount, "stored": storedAt.formatted(.iso8601),
            "format": info?.format.description, "width": info?.size.width, "height": info?.size.height,
        ])
    }
}

extension UInt8 {
    fileprivate var isHexDigit: Bool { "0123456789abcdef".utf8.contains(self) }
}
