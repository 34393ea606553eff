import DarkroomCore
import DarkroomPlatform

extension MessageWriter {
    mutating func put(_ error: ImageError) {
        put(error.kind.rawValue)
        put(error.stage.rawValue)
        put(error.message)
    }
}

extension MessageReader {
    /// Kinds of errors that only the parent knows of.
    private static let reservedKinds: [ImageError.Kind] = [.cancelled, .crashed, .busy, .refused]

    /// The longest sentence of an error. Those of Darkroom's coders have at most some hundred bytes.
    private static let longestMessage = 2_000

    /// Reads the error of a coder.
    mutating func error() throws(MalformedMessage) -> ImageError {
        let kind = ImageError.Kind(rawValue: try string())
        guard !Self.reservedKinds.contains(kind), kind.rawValue.utf8.count < 100,
            let stage = ImageError.Stage(rawValue: try string())
        else { throw MalformedMessage() }
        return ImageError(kind, stage, try sentence())
    }

    /// Reads a sentence for users and logs, in which nothing can look like another line.
    mutating func sentence() throws(MalformedMessage) -> String {
        let text = try string()
        // Most are of this kind, for which looking at characters takes many times as long.
        if text.utf8.count <= Self.longestMessage, text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
        let scalars = text.unicodeScalars.prefix(Self.longestMessage)
            .map { $0.properties.generalCategory == .control ? " " : $0 }
        return String(String.UnicodeScalarView(scalars))
    }
}
