/// The name of an output file without its extension, derived from untrusted text.
///
/// Path separators, invisible characters and leading dots are removed, so that no name is `.`, `..` or hidden.
package struct FileStem: Hashable, Sendable {
    /// The maximum number of bytes. It leaves room for a number, the duration of a frame, an extension and the suffix
    /// of a temporary file within the 255 bytes that file systems allow.
    package static let byteLimit = 160

    /// The maximum number of Unicode scalars.
    package static let scalarLimit = 60

    /// The name, which is never empty.
    package let text: String

    /// Creates a stem from the permitted characters of `name`; `image` if there are none.
    package init(_ name: String) {
        var text = String.UnicodeScalarView()
        var byteCount = 0
        for scalar in name.unicodeScalars where !scalar.isUnprintable && scalar != "/" && scalar != "\\" {
            if text.isEmpty, scalar == "." { continue }
            byteCount += UTF8.width(scalar)
            guard byteCount <= Self.byteLimit, text.count < Self.scalarLimit else { break }
            text.append(scalar)
        }
        self.text = text.isEmpty ? "image" : String(text)
    }

    /// Creates a stem from the name of a file, without its extension.
    package init(ofFileNamed name: String) {
        let dot = name.extensionDot
        self.init(dot.map { String(name[..<$0]) } ?? name)
    }
}

extension String {
    /// The characters after the last dot of the last component; `nil` if there is none, or if it starts the component.
    package var pathExtension: String? {
        let name = String(fields(separatedBy: UInt8(ascii: "/")).last ?? "")
        return name.extensionDot.map { String(name[name.utf8.index(after: $0)...]) }
    }

    /// The position of the dot before the extension of a file's name.
    fileprivate var extensionDot: String.Index? {
        utf8.lastIndex(of: UInt8(ascii: ".")).flatMap { $0 > startIndex ? $0 : nil }
    }
}
