public import DarkroomCore

extension TransformNotation {
    /// The values of one step's arguments, by parameter name.
    public struct Values: Sendable {
        private let form: Form
        private let values: [String: Value]

        init(form: Form, values: [String: Value]) {
            self.form = form
            self.values = values
        }

        /// The value of `name`; `nil` when it was omitted and has no default.
        public subscript(name: String) -> Value? { values[name] }

        /// Returns the number `name`.
        public func number(_ name: String) throws(ImageError) -> Double {
            guard case .number(let number) = values[name] else { throw missing(name) }
            return number
        }

        /// Returns the integer `name`.
        public func integer(_ name: String) throws(ImageError) -> Int {
            guard let number = Int(exactly: try number(name)) else { throw missing(name) }
            return number
        }

        /// Returns the size `name`.
        public func size(_ name: String) throws(ImageError) -> (width: Double, height: Double) {
            guard case .size(let width?, let height?) = values[name] else { throw missing(name) }
            return (width, height)
        }

        /// Returns the size `name`, with `nil` for a side that is open.
        public func bounds(_ name: String) throws(ImageError) -> (width: Double?, height: Double?) {
            guard case .size(let width, let height) = values[name] else { throw missing(name) }
            return (width, height)
        }

        /// Returns the point `name`; `nil` when it was omitted and has no default.
        public func point(_ name: String) -> (x: Double, y: Double)? {
            guard case .point(let x, let y) = values[name] else { return nil }
            return (x, y)
        }

        /// Returns the colour `name`; `nil` when it was omitted and has no default.
        public func color(_ name: String) -> Color? {
            guard case .color(let color) = values[name] else { return nil }
            return color
        }

        /// Returns the required colour `name`.
        func requiredColor(_ name: String) throws(ImageError) -> Color {
            guard let color = color(name) else { throw missing(name) }
            return color
        }

        /// Returns the flag `name`.
        public func flag(_ name: String) throws(ImageError) -> Bool {
            guard case .flag(let flag) = values[name] else { throw missing(name) }
            return flag
        }

        /// Returns the words of `name`.
        public func words(_ name: String) throws(ImageError) -> [String] {
            guard case .words(let words) = values[name] else { throw missing(name) }
            return words
        }

        /// Returns the case of an enumeration that the word `name` stands for.
        public func word<Cases: CaseIterable>(_ name: String, of _: Cases.Type = Cases.self) throws(ImageError) -> Cases
        {
            let words = try words(name)
            guard let found = Cases.allCases.first(where: { words == ["\($0)"] }) else { throw missing(name) }
            return found
        }

        /// Returns the text `name`.
        public func text(_ name: String) throws(ImageError) -> String {
            guard case .text(let text) = values[name] else { throw missing(name) }
            return text
        }

        /// Returns a copy with both sides of every size multiplied by `ratio` and rounded, but at least one pixel.
        func scaled(by ratio: Double) -> Values {
            Values(
                form: form,
                values: values.mapValues { value in
                    guard case .size(let width, let height) = value else { return value }
                    return .size(
                        width: width.map { max(1, ($0 * ratio).rounded()) },
                        height: height.map { max(1, ($0 * ratio).rounded()) })
                })
        }

        /// The canonical step with these values.
        public var step: Step {
            var step = Step(form.name)
            for (index, parameter) in form.parameters.enumerated() {
                guard let value = values[parameter.name], value != parameter.defaultValue else { continue }
                let isInOrder = step.arguments.count == index
                step.arguments.append(.init(value.description, name: isInOrder ? nil : parameter.name))
            }
            return step
        }

        private func missing(_ name: String) -> ImageError {
            ImageError(.internal, .request, "\(form.name) has no value \(name)")
        }
    }
}
