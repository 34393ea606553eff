import DarkroomCore

extension TransformNotation {
    /// One step of a list as written. Its name has not been looked up yet.
    public struct Step: Hashable, Sendable {
        /// An argument of a step.
        public struct Argument: Hashable, Sendable {
            /// The name; `nil` for a positional argument.
            public var name: String?

            /// The text, without escapes.
            public var value: String

            /// Creates the argument `value`, or `name=value`.
            public init(_ value: String, name: String? = nil) {
                self.name = name
                self.value = value
            }
        }

        /// The name of the step, as written.
        public var name: String

        /// The arguments, as written and in the same order.
        public var arguments: [Argument]

        /// Creates a step.
        public init(_ name: String, _ arguments: [Argument] = []) {
            self.name = name
            self.arguments = arguments
        }
    }
}

extension TransformNotation.Step: CustomStringConvertible {
    /// The text of the step, which parses as an equal step.
    public var description: String {
        let words = arguments.map { ($0.name.map { $0.escaped + "=" } ?? "") + $0.value.escaped }
        return name.escaped + (words.isEmpty ? "" : ":" + words.joined(separator: ","))
    }
}

extension TransformNotation.Step {
    /// Parses the steps of `text`.
    static func list(_ text: String) throws(ImageError) -> [Self] {
        let byteCount = text.utf8.count
        guard byteCount <= TransformNotation.byteLimit else {
            throw ImageError(
                .overLimit, .request,
                "the list of transforms has \(byteCount) bytes, and the limit is \(TransformNotation.byteLimit)")
        }
        guard byteCount > 0 else { throw ImageError(.unsupported, .request, "the list of transforms is empty") }
        let parts = text.utf8.parts("+")
        guard parts.count <= TransformNotation.stepLimit else {
            throw ImageError(
                .overLimit, .request,
                "the list has \(parts.count) transforms, and the limit is \(TransformNotation.stepLimit)")
        }
        var steps: [Self] = []
        for part in parts { steps.append(try Self(part, in: text)) }
        return steps
    }

    /// Parses one step. A `:` between arguments is accepted in place of `,`.
    private init(_ text: Substring.UTF8View, in list: String) throws(ImageError) {
        let name = text.prefix { $0 != UInt8(ascii: ":") }
        guard !name.isEmpty else {
            throw ImageError(.unsupported, .request, "the list \(list.quoted) contains a transform without a name")
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
                "the step \(step.quoted) contains an argument without a \(name.isEmpty && isNamed ? "name" : "value")")
        }
        self.init(try String(unescaping: value), name: isNamed ? try String(unescaping: name) : nil)
    }
}

extension BidirectionalCollection<UInt8> where SubSequence == Substring.UTF8View {
    /// Splits the text at any of `separators`, including empty parts.
    fileprivate func parts(_ separators: String) -> [SubSequence] {
        split(omittingEmptySubsequences: false) { separators.utf8.contains($0) }
    }
}
