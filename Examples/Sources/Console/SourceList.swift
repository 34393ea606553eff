package import Darkroom
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The pictures that a file or standard input names, read as they are wanted.
package final class SourceList: Sendable {
    /// What stands behind each picture.
    package enum Separator: Sendable {
        /// One a line; blank lines and those that begin with `#` are passed over.
        case lineBreak
        /// A zero byte; all else belongs to the path or URL.
        case zeroByte

        fileprivate var byte: UInt8 { self == .lineBreak ? UInt8(ascii: "\n") : 0 }
    }

    private struct State {
        var bytes: [UInt8] = []
        /// Where the first line begins that was not handed out.
        var start = 0
        /// How far from there on there is no line break.
        var searched = 0
        var isAtEnd = false
    }

    /// Data URLs may be long, but not without end.
    private static let lineByteLimit = 64 << 20

    private let file: FileDescriptor
    private let separator: Separator
    private let executor = WorkExecutor(name: "list", width: 1)
    private let state = Mutex(State())
    private let failed = Mutex<ImageError?>(nil)

    /// The list in the file at `path`, or on standard input for `-`.
    package init(path: String, separator: Separator = .lineBreak) throws(ImageError) {
        self.separator = separator
        do throws(SystemError) {
            file = path == "-" ? .standardInput : try FileDescriptor(reading: path)
        } catch {
            throw ImageError(.invalidURL, .request, "the list at \(path) cannot be read: \(error)")
        }
    }

    /// Why the list ended early, if it did.
    package var failure: ImageError? { failed.withLock { $0 } }

    /// The next picture; `nil` at the end. One reader at a time.
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
                    return Substring(decoding: state.bytes[state.start..<end], as: UTF8.self)
                }
                if state.isAtEnd {
                    let last = state.bytes[state.start...]
                    (state.start, state.searched) = (state.bytes.count, 0)
                    return last.isEmpty ? nil : Substring(decoding: last, as: UTF8.self)
                }
                try readMore(&state)
            }
        }
    }

    private func readMore(_ state: inout State) throws {
        state.bytes.removeFirst(state.start)
        (state.start, state.searched) = (0, state.bytes.count)
        guard state.bytes.count <= Self.lineByteLimit else {
            throw ImageError(.invalidURL, .request, "a line of the list is longer than \(Self.lineByteLimit) bytes")
        }
        do throws(SystemError) {
            let bytes = try file.someBytes()
            state.bytes += bytes
            state.isAtEnd = bytes.isEmpty
        } catch {
            throw ImageError(.invalidURL, .request, "the list cannot be read any further: \(error)")
        }
    }
}

extension Source {
    fileprivate init?(line: Substring) {
        let text = line.unicodeScalars.drop(while: \.properties.isWhitespace)
        guard let last = text.lastIndex(where: { !$0.properties.isWhitespace }), text.first != "#" else { return nil }
        self.init(argument: String(text[...last]))
    }
}
