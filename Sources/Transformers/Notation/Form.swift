public import DarkroomCore

extension TransformNotation {
    /// The syntax of one kind of step. Servers define their own forms for options that are not transforms.
    public struct Form: Sendable {
        /// The name. Letter case, `-` and `_` are ignored when a step is matched.
        public let name: String

        /// Alternative names.
        public let aliases: [String]

        /// A one-sentence description.
        public let summary: String

        /// The parameters, in positional order.
        public let parameters: [Parameter]

        /// An example of a step with this form.
        public let example: String

        /// Creates a form.
        public init(
            _ name: String, aliases: [String] = [], summary: String, parameters: [Parameter] = [], example: String
        ) {
            self.name = name
            self.aliases = aliases
            self.summary = summary
            self.parameters = parameters
            self.example = example
        }

        /// Returns whether `step` has this name or one of the aliases.
        public func matches(_ step: Step) -> Bool {
            step.name.isSameName(as: name) || aliases.contains { step.name.isSameName(as: $0) }
        }

        /// Returns the values of `step`, with defaults for omitted arguments.
        ///
        /// - Throws: An error that says what is wrong and what is allowed.
        public func values(of step: Step) throws(ImageError) -> Values {
            var values: [String: Value] = [:]
            var hasNames = false
            let arguments = joiningPoints(step.arguments)
            for (index, argument) in arguments.enumerated() {
                hasNames = hasNames || argument.name != nil
                let parameter = try parameter(for: argument, at: index, of: arguments.count, hasNames: hasNames)
                guard values[parameter.name] == nil else { throw error("has \(parameter.name) twice") }
                values[parameter.name] = try value(of: argument.value, for: parameter)
            }
            for parameter in parameters where values[parameter.name] == nil {
                guard !parameter.isRequired else { throw error("requires \(parameter.name), as in \(example)") }
                values[parameter.name] = parameter.defaultValue
            }
            return Values(form: self, values: values)
        }

        /// Returns the arguments with a point written as `name=0.3,0.7` in one of them.
        private func joiningPoints(_ arguments: [Step.Argument]) -> [Step.Argument] {
            arguments.reduce(into: []) { joined, argument in
                guard argument.name == nil, let last = joined.last, let name = last.name?.foldedName,
                    parameters.contains(where: { $0.isPoint && $0.name.foldedName == name }),
                    Double(decimals: last.value) != nil
                else { return joined.append(argument) }
                joined[joined.count - 1].value += "x" + argument.value
            }
        }

        private func parameter(
            for argument: Step.Argument, at index: Int, of count: Int, hasNames: Bool
        ) throws(ImageError) -> Parameter {
            if let name = argument.name {
                if let parameter = parameters.first(where: { $0.name.foldedName == name.foldedName }) {
                    return parameter
                }
                let suggestion = name.suggestion(among: parameters.map(\.name))
                throw error("has no parameter \(name.quoted); \(suggestion ?? takes)")
            }
            guard !hasNames else {
                throw error("has \(argument.value.quoted) after a named argument, so it must be named, too")
            }
            guard index < parameters.count else { throw error("does not take \(count) arguments; \(takes)") }
            return parameters[index]
        }

        private var takes: String {
            "it takes " + (parameters.isEmpty ? "nothing" : parameters.map(\.name).listed("and"))
        }

        private func value(of text: String, for parameter: Parameter) throws(ImageError) -> Value {
            if let value = parameter.kind.value(of: text) { return value }
            if parameter.kind.isTooLarge(text) {
                throw ImageError(
                    .unsupported, .request,
                    "\(parameter.name) of \(name) is too large: at most 1000000 pixels wide and high, not \(text.quoted)"
                )
            }
            let suggestion =
                if case .word(let words, _) = parameter.kind { text.suggestion(among: words) } else { nil as String? }
            let hint = suggestion.map { "; " + $0 } ?? ""
            throw ImageError(
                .unsupported, .request,
                "\(parameter.name) of \(name) must be \(parameter.kind), not \(text.quoted)\(hint)")
        }

        private func error(_ words: String) -> ImageError { ImageError(.unsupported, .request, "\(name) \(words)") }
    }
}
