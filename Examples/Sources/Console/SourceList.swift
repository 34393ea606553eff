package import Darkroom
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The images listed in a file or on standard input, read on demand.
package final class SourceList: Sendable {
    /// The byte that follows each entry.
    package enum Separator: Sendable {
        /// A line break. Blank lines and those that begin with `#` are skipped.
        case lineBreak
        /// A zero byte. Everything else is part of the path or URL.
        case zeroByte

        fileprivate var byte: UInt8 { self == .lineBreak ? UInt8(ascii: "\n") : 0 }
    }

    private struct State {
        var bytes: [UInt8] = []
        /// The start of the first entry that has not been returned.
        var start = 0
        /// The number of bytes from there that are known to contain no separator.
        var searched = 0
        var isAtEnd = false
    }

    /// The limit on the length of an entry: data URLs may be long, but not unbounded.
    private static let lineByteLimit = 64 << 20

    private let file: FileDescriptor
    private let separator: Separator
    private let executor = WorkExecutor(name: "list", width: 1)
    private let state = Mutex(State())
    private let failed = Mutex<ImageError?>(nil)

    /// Opens the list in the file at `path`, or on standard input for `-`.
    package init(path: String, separator: Separator = .lineBreak) throws(ImageError) {
        self.separator = separator
        do throws(SystemError) {
            file = path == "-" ? .standardInput : try FileDescriptor(reading: path)
        } catch {
            throw ImageError(.invalidURL, .request, "the list \(path) cannot be read: \(error)")
        }
    }

    /// The error that ended the list early, if any.
    package var failure: ImageError? { failed.withLock { $0 } }

    /// Returns the next image; `nil` at the end. Only one reader may call it at a time.
    package func next() async -> Source? {
        do {
            return try await executor.run { [self] in
                while let line = try nextLine() {
                    let source = separator == .lineBreak ? Source(line: line) : Source(argument: String(line))
                    if let source { return source }
                }
                return nil
            }
        } catch {
            failed.withLock { $0 = error as? ImageError ?? ImageError(.internal, .request, "\(error)") }
            return nil
        }
    }

    private func nextLine() throws -> Substring? {
        try state.withLock { state in
            while true {
                let rest = state.bytes[(state.start + state.searched)...]
                if let end = rest.firstIndex(of: separator.byte) {
                    defer { (state.start, state.searched) = (end + 1, 0) }
                    return Substring(String(systemBytes: state.bytes[state.start..<end]))
                }
                if state.isAtEnd {
                    let last = state.bytes[state.start...]
                    (state.start, state.searched) = (state.bytes.count, 0)
                    return last.isEmpty ? nil : Substring(String(systemBytes: last))
                }
                try readMore(&state)
            }
        }
    }

    private func readMore(_ state: inout State) throws {
        state.bytes.removeFirst(state.start)
        (state.start, state.searched) = (0, state.bytes.count)
        guard state.bytes.count <= Self.lineByteLimit else {
            throw ImageError(.invalidURL, .request, "the list contains a line of more than \(Self.lineByteLimit) bytes")
        }
        do throws(SystemError) {
            let bytes = try file.someBytes()
            state.bytes += bytes
            state.isAtEnd = bytes.isEmpty
        } catch {
            throw ImageError(.invalidURL, .request, "the rest of the list cannot be read: \(error)")
        }
    }
}

extension Source {
    fileprivate init?(line: Substring) {
        // Windows begins files with a byte order mark, also those that are joined to a list.
        let text = line.unicodeScalars.drop { $0.properties.isWhitespace || $0 == "\u{FEFF}" }
        guard let last = text.lastIndex(where: { !$0.properties.isWhitespace }), text.first != "#" else { return nil }
        self.init(argument: String(text[...last]))
    }
}
