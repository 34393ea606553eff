import DarkroomCore
import DarkroomPlatform

extension DataCacheContract {
    /// Checks that a damaged file leads to intact entries or misses, and that storing again repairs the cache.
    ///
    /// Each of at most `fileCount` files in turn is truncated, emptied, overwritten with zeros, extended, and changed in one
    /// bit, while no cache is open; then one is created. The check has no effect for caches that do not persist.
    public func checkDamage(fileCount: Int = 12) async throws {
        guard persists else { return }
        try await withTemporaryDirectory { root in
            let sound = root.appending(path: "sound", directoryHint: .isDirectory)
            try FileManager.default.createDirectory(at: sound, withIntermediateDirectories: true)
            try await storeSamples(in: sound)
            var count = 0
            for file in try Self.files(in: sound).prefix(fileCount) {
                let bytes = try Data(contentsOf: sound.appending(path: file))
                for damage in Damage.all where damage.apply(to: bytes) != bytes {
                    // A cache that was deallocated may still be writing to its folder, so each damage gets a new one.
                    count += 1
                    let copy = root.appending(path: "damaged-\(count)", directoryHint: .isDirectory)
                    try FileManager.default.copyItem(at: sound, to: copy)
                    try damage.apply(to: bytes).write(to: copy.appending(path: file))
                    try await checkHealing(in: copy, "after the file \(file) was \(damage.name)")
                }
            }
        }
    }

    /// Checks that a folder that is removed, or replaced by a file, while a cache is open leads to intact entries, misses or
    /// errors.
    ///
    /// The entries may remain in memory or in open files. The next cache created in the folder must work.
    public func checkLostDirectory() async throws {
        for isFile in [false, true] {
            try await withTemporaryDirectory { root in
                let folder = root.appending(path: "cache", directoryHint: .isDirectory)
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                let what = isFile ? "after its folder became a file" : "after its folder was removed"
                do {
                    let (cache, subject) = try await openCache(in: folder)
                    try await subject.storing { try await cache.store(.sample(1), for: .a) }
                    try remove(folder, leavingFile: isFile)
                    try subject.require(
                        [nil, .sample(1)].contains(try? await cache.entry(for: .a)), "an entry differs \(what)")
                    try? await cache.store(.sample(2), for: .b)
                    try? await cache.update(.bare, for: .b)
                    try subject.require(
                        [nil, .sample(2), DataEntry(DataEntry.sample(2).data, metadata: .bare)]
                            .contains(try? await cache.entry(for: .b)), "an entry differs \(what)")
                    try? await cache.removeAll(ofSource: CacheKey.a.source)
                    try? await cache.trim()
                    try? await cache.removeAll()
                }
                if isFile { try? FileManager.default.removeItem(at: root.appending(path: "cache")) }
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                let (cache, subject) = try await openCache(in: folder, " \(what)")
                try await subject.storing("storing \(what)") { try await cache.store(.sample(3), for: .a) }
                try await subject.require(cache, has: .sample(3), for: .a, "an entry stored \(what)")
            }
        }
    }

    /// Removes `folder`, and with `leavingFile` creates a file in its place.
    ///
    /// The folder is moved before it is removed, because the cache may be writing to it, and again if the cache has
    /// recreated it.
    private func remove(_ folder: URL, leavingFile: Bool) throws {
        let root = folder.deletingLastPathComponent()
        var triesLeft = 100
        while true {
            do {
                let away = root.appending(path: UUID().uuidString, directoryHint: .isDirectory)
                try FileManager.default.moveItem(at: folder, to: away)
                try? FileManager.default.removeItem(at: away)
                if leavingFile { try Data("a file".utf8).write(to: root.appending(path: folder.lastPathComponent)) }
                return
            } catch  where triesLeft > 0 {
                triesLeft -= 1
            }
        }
    }

    private static var sampleCount: Int { 3 }

    private func storeSamples(in folder: URL) async throws {
        let (cache, subject) = try await openCache(in: folder)
        for number in 0..<Self.sampleCount {
            try await subject.storing { try await cache.store(.sample(number), for: CacheKey(source: "\(number)")) }
        }
    }

    private func checkHealing(in folder: URL, _ circumstances: String) async throws {
        let (cache, subject) = try await openCache(in: folder, " \(circumstances)")
        for number in 0..<Self.sampleCount {
            let found = try? await cache.entry(for: CacheKey(source: "\(number)"))
            try subject.require([nil, .sample(number)].contains(found), "an entry differs \(circumstances)")
        }
        for number in 0..<Self.sampleCount {
            let key = CacheKey(source: "\(number)")
            try await subject.storing("storing \(circumstances)") {
                try await cache.store(.sample(number + 5), for: key)
            }
            try await subject.require(cache, has: .sample(number + 5), for: key, "an entry stored \(circumstances)")
        }
    }

    private static func files(in folder: URL) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted().filter { path in
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.appending(path: path).path)
            return attributes[.type] as? FileAttributeType == .typeRegular
        }
    }
}

/// Damage to a file, as caused by disks and people.
private struct Damage {
    let name: String
    private let change: @Sendable (inout [UInt8]) -> Void

    func apply(to data: Data) -> Data {
        var bytes = [UInt8](data)
        change(&bytes)
        return Data(bytes)
    }

    static let all: [Damage] = [
        Damage(name: "emptied") { $0 = [] },
        Damage(name: "truncated by half") { $0.removeLast($0.count / 2) },
        Damage(name: "truncated by a byte") { if !$0.isEmpty { $0.removeLast() } },
        Damage(name: "extended") { $0 += [UInt8](repeating: 0, count: 100) },
        Damage(name: "zeroed in its second half") { bytes in
            for index in bytes.indices.suffix(bytes.count / 2) { bytes[index] = 0 }
        },
        Damage(name: "zeroed in its first half") { bytes in
            for index in bytes.indices.prefix(bytes.count / 2) { bytes[index] = 0 }
        },
        .flip(at: 0), .flip(at: 0.02), .flip(at: 0.2), .flip(at: 0.4), .flip(at: 0.6), .flip(at: 0.8), .flip(at: 0.999),
    ]

    private static func flip(at part: Double) -> Damage {
        Damage(name: "changed in one bit") { bytes in
            guard !bytes.isEmpty else { return }
            bytes[min(Int(Double(bytes.count) * part), bytes.count - 1)] ^= 0x10
        }
    }
}
