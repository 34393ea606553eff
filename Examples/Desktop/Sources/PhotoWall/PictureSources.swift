public import FoundationEssentials

/// The pictures named by arguments, by lines of a list, or by text dropped on a window.
public enum PictureSources {
    /// The largest number of pictures that are added at a time.
    public static let countLimit = 100_000

    /// The number of bytes that a URL may have, such as one of the scheme `data`.
    static let byteLimit = 16 << 20

    private static let schemes: Set<String> = ["http", "https", "file", "data"]

    /// Returns the URLs in `text`: one a line, as in `text/uri-list`, where a line after `#` is a comment.
    ///
    /// A line may also be the path of a file: an absolute one, or any if `hasPaths`. Lines that are neither, are not
    /// UTF-8, or contain a control character are left out.
    public static func urls(inText text: some Collection<UInt8>, hasPaths: Bool = false) -> [URL] {
        // The rest after the last split has line breaks, so it is left out.
        text.split(maxSplits: countLimit) { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
            .filter { $0.first != UInt8(ascii: "#") }
            .compactMap { url($0, isPath: hasPaths) }
    }

    /// Returns the URL that `text` is, or that of the file with this path.
    public static func url(_ text: String) -> URL { supported(text) ?? URL(filePath: text) }

    /// Returns `text` as a URL; `nil` if it is none, or no loader knows its scheme.
    static func supported(_ text: String) -> URL? {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), schemes.contains(scheme) else {
            return nil
        }
        return url
    }

    /// Returns the pictures at `urls`, with the files in a folder in place of the folder. It reads from the disk.
    @concurrent public static func expanded(_ urls: [URL]) async -> [URL] {
        Array(urls.lazy.flatMap(filesOrItself).prefix(countLimit))
    }

    /// Returns the visible files in the folder at `url`, by name; the URL itself if it is not that of a folder.
    private static func filesOrItself(_ url: URL) -> [URL] {
        guard url.isFileURL, let names = try? FileManager.default.contentsOfDirectory(atPath: url.path) else {
            return [url]
        }
        return names.sorted().filter { !$0.hasPrefix(".") }.map { url.appending(path: $0) }
    }

    private static func url(_ line: some Collection<UInt8>, isPath: Bool) -> URL? {
        let isBlank = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        guard let first = line.firstIndex(where: { !isBlank($0) }) else { return nil }
        var end = line.endIndex
        while let last = line.index(end, offsetBy: -1, limitedBy: line.startIndex), isBlank(line[last]) { end = last }
        let bytes = line[first..<end]
        guard bytes.count <= byteLimit, bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }),
            let text = String(validating: bytes, as: UTF8.self)
        else { return nil }
        if let url = supported(text) { return url }
        return isPath || bytes.first == UInt8(ascii: "/") ? URL(filePath: text) : nil
    }
}
