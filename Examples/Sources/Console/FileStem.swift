/// The name of an output file without its extension, made of text from somebody else.
///
/// Separators and whatever does not show are left out, and so are dots at its beginning: no such name is `.` or `..`, and none
/// is hidden.
package struct FileStem: Hashable, Sendable {
    /// The most bytes. With a number, the time of a frame, an extension and what a temporary file has behind its name, a file
    /// system that takes 255 bytes takes it.
    package static let byteLimit = 160

    /// The most Unicode scalars.
    package static let scalarLimit = 60

    /// The name; at least one character.
    package let text: String

    /// What may stay of `name`, or `picture` when nothing may.
    package init(_ name: String) {
        var text = String.UnicodeScalarView()
        var byteCount = 0
        for scalar in name.unicodeScalars where !scalar.isUnprintable && scalar != "/" && scalar != "\\" {
            if text.isEmpty, scalar == "." { continue }
            byteCount += UTF8.width(scalar)
            guard byteCount <= Self.byteLimit, text.count < Self.scalarLimit else { break }
            text.append(scalar)
        }
        self.text = text.isEmpty ? "picture" : String(text)
    }

    /// What may stay of `name`, the name of a file, without its extension.
    package init(ofFileNamed name: String) {
        let dot = name.utf8.lastIndex(of: UInt8(ascii: "."))
        self.init(dot.map { $0 > name.startIndex ? String(name[..<$0]) : name } ?? name)
    }
}
