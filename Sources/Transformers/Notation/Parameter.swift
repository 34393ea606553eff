extension TransformNotation {
    /// An argument that a step may have.
    public struct Parameter: Sendable {
        /// What it is called in `name=value`.
        public let name: String

        /// What it may be.
        public let kind: Kind

        /// What it is when it is not given, as text; `nil` where that is nothing.
        public let `default`: String?

        /// Whether it must be given.
        public let isRequired: Bool

        private init(_ name: String, _ kind: Kind, default: String?, isRequired: Bool) {
            self.name = name
            self.kind = kind
            self.default = `default`
            self.isRequired = isRequired
        }

        /// One that must be given.
        public static func required(_ name: String, _ kind: Kind) -> Parameter {
            Parameter(name, kind, default: nil, isRequired: true)
        }

        /// One that may be left out, and is then `default`.
        public static func optional(_ name: String, _ kind: Kind, _ default: String? = nil) -> Parameter {
            Parameter(name, kind, default: `default`, isRequired: false)
        }

        /// The value when it is not given.
        var defaultValue: Value? { self.default.flatMap { kind.value(of: $0) } }
    }
}
