import Foundation

/// The arguments of `photo-wall`.
struct Arguments {
    static let usage = """
        usage: photo-wall [options] [URL|file|folder ...]
          --list FILE    adds the URLs and paths in FILE, one a line
          --count N      the number of generated pictures without any of these: 5000
          --cache DIR    the folder of the disk cache; none by default
          --dark         a dark window
          --check DIR    scrolls through pictures that encode their numbers, writes screenshots to DIR, prints figures,
                         and fails if a picture was shown in a wrong place
        Keys: Enter opens, Escape returns, + - 0 1 zoom, left and right step, o opens files, c clears the caches,
        d toggles dark, q quits.
        """

    var urls: [URL] = []
    var count = 5000
    var cache: URL?
    var isDark = false
    var check: URL?

    init(_ arguments: [String]) throws {
        var rest = arguments[...]
        func value(of option: String) throws -> String {
            guard let value = rest.popFirst() else { throw ArgumentError("\(option) needs a value") }
            return value
        }
        while let argument = rest.popFirst() {
            switch argument {
            case "--list":
                let path = try value(of: argument)
                guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
                    throw ArgumentError("\(path) cannot be read")
                }
                urls += text.split(whereSeparator: \.isNewline).flatMap { Self.urls(String($0)) }
            case "--count":
                let text = try value(of: argument)
                guard let number = Int(text), (1...60_000).contains(number) else {
                    throw ArgumentError("--count \(text) is not a number from 1 to 60000")
                }
                count = number
            case "--cache": cache = URL(filePath: try value(of: argument))
            case "--check": check = URL(filePath: try value(of: argument))
            case "--dark": isDark = true
            case _ where argument.hasPrefix("-"): throw ArgumentError("there is no option \(argument)")
            default: urls += Self.urls(argument)
            }
        }
        if check != nil, count < 100 { throw ArgumentError("--check needs at least 100 pictures") }
    }

    /// Returns the URLs of `text`: itself, a file, or the files in a folder.
    private static func urls(_ text: String) -> [URL] {
        if let url = URL(string: text), let scheme = url.scheme, ["http", "https", "file", "data"].contains(scheme) {
            return [url]
        }
        var isFolder: ObjCBool = false
        let file = URL(filePath: text)
        guard FileManager.default.fileExists(atPath: text, isDirectory: &isFolder), isFolder.boolValue else {
            return [file]
        }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: text)) ?? []
        return names.sorted().filter { !$0.hasPrefix(".") }.map { file.appending(path: $0) }
    }
}

/// The reason why the arguments cannot be used.
struct ArgumentError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
