import DarkroomCore

extension TransformNotation {
    /// One step of a list as it is written: nothing is known yet of what the name means.
    public struct Step: Hashable, Sendable {
        /// An argument of a step.
        public struct Argument: Hashable, Sendable {
            /// Which one it is; `nil` when its place tells.
            public var name: String?

            /// The text, without escapes.
            public var value: String

            /// The argument `value`, or `name=value`.
            public init(_ value: String, name: String? = nil) {
                self.name = name
                self.value = value
            }
        }

        /// What is to be done, in the letter case of the text.
        public var name: String

        /// With what, in the order of the text.
        public var arguments: [Argument]

        /// A step of this name.
        public init(_ name: String, _ arguments: [Argument] = []) {
            self.name = name
            self.arguments = arguments
        }
    }
}

extension TransformNotation.Step: CustomStringConvertible {
    /// The step as text that is read as the same step again.
    public var description: String {
        let words = arguments.map { ($0.name.map { $0.escaped + "=" } ?? "") + $0.value.escaped }
        return name.escaped + (words.isEmpty ? "" : ":" + words.joined(separator: ","))
    }
}

extension TransformNotation.Step {
    /// The steps of `text`.
    static func list(_ text: String) throws(ImageError) -> [Self] {
        let byteCount = text.utf8.count
        guard byteCount <= TransformNotation.byteLimit else {
            throw ImageError(
                .overLimit, .request,
                "the transforms take \(byteCount) bytes, and the limit is \(TransformNotation.byteLimit)")
        }
        guard byteCount > 0 else { throw ImageError(.unsupported, .request, "no transform is named") }
        let parts = text.utf8.parts("+")
        guard parts.count <= TransformNotation.stepLimit else {
            throw ImageError(
                .overLimit, .request,
                "there are \(parts.count) transforms, and the limit is \(TransformNotation.stepLimit)")
        }
        var steps: [Self] = []
        for part in parts { steps.append(try Self(part, in: text)) }
        return steps
    }

    /// The step that `text` is. A second `:` separates arguments as `,` does: so the command line had it once.
    private init(_ text: Substring.UTF8View, in list: String) throws(ImageError) {
        let name = text.prefix { $0 != UInt8(ascii: ":") }
        guard !name.isEmpty else {
            throw ImageError(.unsupported, .request, "a transform without a name stands in \(list.quoted)")
        }
        self.init(try String(unescaping: name))
        guard name.endIndex < text.endIndex else { return }
        for part in text[name.endIndex...].dropFirst().parts(",:") {
            arguments.append(try Argument(part, in: Substring(text)))
        }
    }
}

extension TransformNotation.Step.Argument {
    fileprivate init(_ text: Substring.UTF8View, in step: Substring) throws(ImageError) {
        let name = text.prefix { $0 != UInt8(ascii: "=") }
        let isNamed = name.endIndex < text.endIndex
        let value = isNamed ? text[name.endIndex...].dropFirst() : text
        guard !value.isEmpty, !name.isEmpty else {
            throw ImageError(
                .unsupported, .request,
                "an argument without a \(name.isEmpty && isNamed ? "name" : "value") stands in \(step.quoted)")
        }
        self.init(try String(unescaping: value), name: isNamed ? try String(unescaping: name) : nil)
    }
}

extension BidirectionalCollection<UInt8> where SubSequence == Substring.UTF8View {
    /// What stands between any of `separators`, empty parts included.
    fileprivate func parts(_ separators: String) -> [SubSequence] {
        split(omittingEmptySubsequences: false) { separators.utf8.contains($0) }
    }
}
