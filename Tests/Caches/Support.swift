public import DarkroomCore
import FoundationEssentials
import TestSupport

@testable import DarkroomCaches

/// A folder that is removed with everything in it when the test is done with it.
final class TemporaryFolder: Sendable {
    let url = FileManager.default.temporaryDirectory.appending(path: "darkroom-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// A cache in it, with limits that a test does not reach by accident. It notes every use, and scans at once.
    func cache(
        byteLimit: Int = 1 << 30, age: Duration? = .seconds(7 * 24 * 3600), trimInterval: Duration? = nil,
        scanInterval: Duration = .zero, faults: FileFaults? = nil, failures: FailureReports = FailureReports(nil)
    ) throws -> DiskDataCache {
        var limits = EntryStore.Limits(byteCount: byteLimit, age: age)
        limits.largestUseLag = .zero
        let path = FilePath(text: url.path, faults: faults)
        return try DiskDataCache(path, limits, trimInterval: trimInterval, scanInterval: scanInterval, failures)
    }

    /// A cache in it as an app makes one.
    func plainCache(
        byteLimit: Int = 1 << 30, maximumAge: Duration? = .seconds(60), trimInterval: Duration? = nil
    ) throws -> DiskDataCache {
        try DiskDataCache(directory: url, byteLimit: byteLimit, maximumAge: maximumAge, trimInterval: trimInterval)
    }

    /// Puts the last use of `key` back in time.
    func age(_ key: CacheKey, bySeconds seconds: Int) throws {
        try age(file(of: key), access: seconds, modification: 0)
    }

    /// Puts the times of a file back in time.
    func age(_ file: URL, access: Int, modification: Int) throws {
        let now = FileTime.now
        try FileDescriptor(FilePath(text: file.path), for: .reading).setTimes(
            access: now.advanced(bySeconds: -access), modification: now.advanced(bySeconds: -modification))
    }

    /// Where the file of `key` is.
    func file(of key: CacheKey) -> URL {
        let name = EntryName(key)
        return url.appending(path: name.shard.name).appending(path: name.fileName)
    }

    /// The paths in it, from here, of all files but the cache's own two.
    func files() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: url.path)
            .filter { $0.contains("/") }.sorted()
    }

    /// How long all those files are together.
    func byteCount() throws -> Int {
        try files().reduce(0) { $0 + (try FileStatus(ofPath: url.appending(path: $1).path).byteCount) }
    }
}

/// Random numbers that are the same on every run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: Int) { state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func bytes(_ count: Int) -> Data { Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }) }

    /// A text of the sort that nobody should use as a key.
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
    /// A still of so many pixels, four bytes each.
    static func still(pixelCount: Int = 1) throws -> Image {
        let bitmap = try Bitmap(PixelSize(pixelCount, 1), hasAlpha: false) { _ in }
        return Image(info: ImageInfo(format: .png, storedSize: bitmap.size), bitmap: bitmap)
    }
}

extension CacheKey: ExpressibleByStringLiteral {
    /// The key of an original.
    public init(stringLiteral source: String) { self.init(source: source) }
}
