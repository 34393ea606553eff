import DarkroomCore
import FoundationEssentials
import Synchronization

/// A minimal cache in a folder: a file for each entry, whose first line contains the key, the metadata and a checksum.
final class FolderCache: DataCache {
    struct Flaws {
        /// Whether files are read without verifying their checksum.
        var trustsFiles = false
        /// Whether files are overwritten in place, chunk by chunk.
        var writesInPlace = false
    }

    private struct Head: Codable {
        var key: CacheKey
        /// The encoded metadata, as bytes: encoding equal metadata again may give other bytes, with another checksum.
        var metadata: Data
        var checksum: UInt64
    }

    private let folder: URL
    private let flaws: Flaws
    private let lock = Mutex(())

    init(_ folder: URL, _ flaws: Flaws = Flaws()) {
        self.folder = folder
        self.flaws = flaws
    }

    func entry(for key: CacheKey) throws -> DataEntry? { lock.withLock { _ in read(key) } }

    func store(_ entry: DataEntry, for key: CacheKey) throws { try lock.withLock { _ in try write(entry, key) } }

    func update(_ metadata: DataEntry.Metadata, for key: CacheKey) throws {
        try lock.withLock { _ in
            guard let entry = read(key), metadata.isOfSameVersion(as: entry.metadata) else { return }
            try write(DataEntry(entry.data, metadata: metadata), key)
        }
    }

    func contains(_ key: CacheKey) throws -> Bool { try entry(for: key) != nil }

    func remove(_ key: CacheKey) throws { lock.withLock { _ in try? FileManager.default.removeItem(at: file(key)) } }

    func removeAll(ofSource source: String) throws {
        removeAll { $0.key == CacheKey(source: source, variant: $0.key.variant) }
    }

    func removeAll() throws { removeAll { _ in true } }

    private func removeAll(where condition: (Head) -> Bool) {
        lock.withLock { _ in
            for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [] {
                let file = folder.appending(path: name)
                guard let (head, _) = parts(of: file), condition(head) else { continue }
                try? FileManager.default.removeItem(at: file)
            }
        }
    }

    private func read(_ key: CacheKey) -> DataEntry? {
        guard let (head, data) = parts(of: file(key)), head.key == key else { return nil }
        guard flaws.trustsFiles || head.checksum == Self.checksum(data, head.metadata),
            let metadata = try? JSONDecoder().decode(DataEntry.Metadata.self, from: head.metadata)
        else { return nil }
        return DataEntry(data, metadata: metadata)
    }

    private func write(_ entry: DataEntry, _ key: CacheKey) throws {
        let metadata = try JSONEncoder().encode(entry.metadata)
        let head = Head(key: key, metadata: metadata, checksum: Self.checksum(entry.data, metadata))
        let bytes = try JSONEncoder().encode(head) + Data("\n".utf8) + entry.data
        guard flaws.writesInPlace else { return try bytes.write(to: file(key), options: .atomic) }
        // Every write is of a complete, longer file.
        for part in 1...20 { try bytes.prefix(bytes.count * part / 20).write(to: file(key)) }
    }

    private func parts(of file: URL) -> (Head, Data)? {
        // FoundationEssentials leaks a buffer when it reads an empty file, which the address sanitizer would report.
        let size = try? FileManager.default.attributesOfItem(atPath: file.path)[.size] as? UInt64
        guard size ?? 0 > 0, let bytes = try? Data(contentsOf: file),
            let end = bytes.firstIndex(of: UInt8(ascii: "\n")),
            let head = try? JSONDecoder().decode(Head.self, from: bytes[..<end])
        else { return nil }
        return (head, Data(bytes[(end + 1)...]))
    }

    private func file(_ key: CacheKey) -> URL {
        folder.appending(path: String(Self.hash(([key.source] + key.variant).joined(separator: "\n").utf8), radix: 16))
    }

    private static func checksum(_ data: Data, _ metadata: Data) -> UInt64 { hash(metadata) ^ hash(data) &* 31 }

    /// Returns the FNV-1a hash of `bytes`.
    private static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
}
