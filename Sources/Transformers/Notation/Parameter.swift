extension TransformNotation {
    /// A parameter of a step.
    public struct Parameter: Sendable {
        /// The name, as in `name=value`.
        public let name: String

        /// The kind of value.
        public let kind: Kind

        /// The default value as text; `nil` if there is none.
        public let `default`: String?

        /// Whether the parameter must be given.
        public let isRequired: Bool

        private init(_ name: String, _ kind: Kind, default: String?, isRequired: Bool) {
            self.name = name
            self.kind = kind
            self.default = `default`
            self.isRequired = isRequired
        }

        /// Creates a required parameter.
        public static func required(_ name: String, _ kind: Kind) -> Parameter {
            Parameter(name, kind, default: nil, isRequired: true)
        }

        /// Creates an optional parameter with a default value.
        public static func optional(_ name: String, _ kind: Kind, default: String? = nil) -> Parameter {
            Parameter(name, kind, default: `default`, isRequired: false)
        }

        /// Whether the value is a point.
        var isPoint: Bool { if case .point = kind { true } else { false } }

        /// The parsed default value.
        var defaultValue: Value? { self.default.flatMap { kind.value(of: $0) } }
    }
}
