import Foundation
import PhotoWall

/// The arguments of `photo-wall`.
struct Arguments {
    static let usage = """
        usage: photo-wall [options] [URL|file|folder ...]
          --list FILE    adds the URLs and paths in FILE, one a line
          --count N      the number of generated pictures without any of these: 5000
          --cache DIR    the folder of the disk cache, from which nothing is evicted; none by default
          --dark         a dark window
          --check DIR    scrolls through pictures that encode their numbers, writes screenshots to DIR, prints figures,
                         and fails if a picture was shown in a wrong place
          --quick        with --check: scrolls through all pictures only once
        Keys: Enter opens, Escape returns, + - 0 1 zoom, left and right step, o opens files, c clears the caches,
        d toggles dark, q quits.
        """

    /// The pictures, and folders with pictures.
    var urls: [URL] = []
    var count = 5000
    var cache: URL?
    var isDark = false
    var check: URL?
    var isQuick = false

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
                guard let text = try? Data(contentsOf: URL(pathAsGiven: path)) else {
                    throw ArgumentError("\(path) cannot be read")
                }
                urls += PictureSources.urls(inText: text, hasPaths: true)
            case "--count":
                let text = try value(of: argument)
                guard let number = Int(text), (1...60_000).contains(number) else {
                    throw ArgumentError("--count \(text) is not a number from 1 to 60000")
                }
                count = number
            case "--cache": cache = URL(pathAsGiven: try value(of: argument))
            case "--check": check = URL(pathAsGiven: try value(of: argument))
            case "--dark": isDark = true
            case "--quick": isQuick = true
            case _ where argument.hasPrefix("-"): throw ArgumentError("there is no option \(argument)")
            default: urls.append(PictureSources.url(argument))
            }
        }
        if check != nil, count < 100 { throw ArgumentError("--check needs at least 100 pictures") }
    }
}

/// The reason why the arguments cannot be used.
struct ArgumentError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

extension URL {
    /// Creates the URL of the file that the system's functions find at `path`: a leading `~` is part of its name.
    fileprivate init(pathAsGiven path: String) {
        self.init(filePath: path.utf8.first == UInt8(ascii: "~") ? "./\(path)" : path)
    }
}
