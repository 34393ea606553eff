public import DarkroomCore
import DarkroomFiles
import DarkroomTestKit
import FoundationEssentials
import TestSupport

@testable import DarkroomCaches

extension TemporaryDirectory {
    /// Creates a cache in the directory, with limits that a test does not reach by accident. It records each use, and
    /// scans immediately unless `scanInterval` is `nil`.
    func cache(
        byteLimit: Int = 1 << 30, age: Duration? = .seconds(7 * 24 * 3600), trimInterval: Duration? = nil,
        scanInterval: Duration? = .zero, faults: FileFaults? = nil, failures: FailureReports = FailureReports(nil)
    ) throws -> DiskDataCache {
        var limits = EntryStore.Limits(byteCount: byteLimit, age: age)
        limits.maximumUseLag = .zero
        let path = FilePath(text: url.path, faults: faults)
        return try DiskDataCache(
            at: path, limits: limits, trimInterval: trimInterval, scanInterval: scanInterval, failures: failures)
    }

    /// Creates a cache in the directory as an app does.
    func plainCache(
        byteLimit: Int = 1 << 30, ageLimit: Duration? = .seconds(60), trimInterval: Duration? = nil
    ) throws -> DiskDataCache {
        try DiskDataCache(directory: url, byteLimit: byteLimit, ageLimit: ageLimit, trimInterval: trimInterval)
    }

    /// Moves the last use of `key` into the past.
    func age(_ key: CacheKey, bySeconds seconds: Int) throws {
        try age(file(of: key), access: seconds, modification: 0)
    }

    /// Moves the times of a file into the past.
    func age(_ file: URL, access: Int, modification: Int) throws {
        let now = FileTime.now
        try FileDescriptor(FilePath(text: file.path), for: .reading).setTimes(
            access: now.advanced(bySeconds: -access), modification: now.advanced(bySeconds: -modification))
    }

    /// Returns the location of the file of `key`.
    func file(of key: CacheKey) -> URL {
        let name = EntryName(key)
        return url.appending(path: name.shard.name).appending(path: name.fileName)
    }

    /// Returns the relative paths of all files except the cache's own two.
    func files() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: url.path)
            .filter { $0.contains("/") }.sorted()
    }

    /// Returns the total size of those files.
    func byteCount() throws -> Int {
        try files().reduce(0) { $0 + (try FileStatus(of: FilePath(text: url.appending(path: $1).path)).byteCount) }
    }
}

extension EntryStore {
    /// Returns the entry of `key`, however large it is.
    func entry(for key: CacheKey) throws -> DataEntry? {
        guard case .finished(let entry) = try read(key, .current) else { return nil }
        return entry
    }
}

extension SeededGenerator {
    mutating func bytes(_ count: Int) -> Data { Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }) }

    /// Returns a text that is hostile as a key.
    mutating func text() -> String {
        let pieces = [
            "http://", "file:///", "data:", "/", "..", ".", "-", "%00", "%2F", "%", ":", "?", "#", "\0", "\n",
            "é", "e\u{301}", "👩‍👩‍👧",
            "{", "}", "(1,2)", ".png", ".tar.gz", "a", "~", String(repeating: "x", count: 240),
            String(decoding: bytes(6), as: UTF8.self),
        ]
        return (0..<Int.random(in: 0...8, using: &self)).map { _ in pieces.randomElement(using: &self)! }.joined()
    }

    mutating func key() -> CacheKey {
        CacheKey(source: text(), variant: (0..<Int.random(in: 0...3, using: &self)).map { _ in text() })
    }
}

extension Image {
    /// Returns a still image of `pixelCount` pixels of four bytes each.
    static func still(pixelCount: Int = 1) throws -> Image {
        let bitmap = try Bitmap(PixelSize(pixelCount, 1), hasAlpha: false) { _ in }
        return Image(info: ImageInfo(format: .png, storedSize: bitmap.size), bitmap: bitmap)
    }
}

extension CacheKey: ExpressibleByStringLiteral {
    /// Creates the key of an original.
    public init(stringLiteral source: String) { self.init(source: source) }
}

extension FixedWidthInteger {
    /// The bytes of the number in a file.
    var littleEndianBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(littleEndian: self)
        return bytes
    }
}
