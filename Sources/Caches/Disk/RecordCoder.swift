import DarkroomCore
import DarkroomPlatform

/// Writes the fields of a value, or reads them: one list of the fields describes both.
protocol RecordCoder {
    /// The error of a field that cannot be read.
    associatedtype Failure: Error

    mutating func code(_ value: inout Int) throws(Failure)
    mutating func code(_ value: inout Bool) throws(Failure)
    mutating func code(_ value: inout Double) throws(Failure)
    mutating func code(_ value: inout String) throws(Failure)
    mutating func code(_ value: inout Data) throws(Failure)
    mutating func code(_ value: inout URL) throws(Failure)
    mutating func code(_ fields: inout [String: String]) throws(Failure)
    mutating func code<Value: Recorded>(_ value: inout Value?) throws(Failure)
    mutating func code<Element: Recorded>(_ elements: inout [Element]) throws(Failure)

    /// Codes `form(value)` in place of `value`, which `make` restores; `nil` if that is impossible.
    mutating func code<Value, Form: Recorded>(
        _ value: inout Value, as form: (Value) -> Form, _ make: (Form) -> Value?
    ) throws(Failure)
}

/// A value whose fields a `RecordCoder` codes.
protocol Recorded {
    /// The value whose fields are replaced when it is read.
    static var blank: Self { get }

    /// Codes all fields, in the order in which they are stored.
    mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure)
}

extension RecordCoder {
    /// Codes the fields of `value`.
    mutating func code(_ value: inout some Recorded) throws(Failure) { try value.code(with: &self) }

    /// Codes the raw value.
    mutating func code<Value: RawRepresentable>(raw value: inout Value) throws(Failure) where Value.RawValue: Recorded {
        try code(&value, as: \.rawValue) { Value(rawValue: $0) }
    }

    /// Codes `form(value)` in place of `value`, if there is one.
    mutating func code<Value, Form: Recorded>(
        optional value: inout Value?, as form: (Value) -> Form, _ make: (Form) -> Value?
    ) throws(Failure) {
        try code(&value, as: { $0.map(form) }) { form -> Value?? in
            guard let form else { return .some(nil) }
            return make(form).map { .some($0) }
        }
    }
}

extension Int: Recorded {
    static var blank: Int { 0 }
    mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure) { try coder.code(&self) }
}

extension Double: Recorded {
    static var blank: Double { 0 }
    mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure) { try coder.code(&self) }
}

extension String: Recorded {
    static var blank: String { "" }
    mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure) { try coder.code(&self) }
}

extension Data: Recorded {
    static var blank: Data { Data() }
    mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure) { try coder.code(&self) }
}

extension Array: Recorded where Element: Recorded {
    static var blank: [Element] { [] }
    mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure) { try coder.code(&self) }
}

extension Optional: Recorded where Wrapped: Recorded {
    static var blank: Wrapped? { nil }
    mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure) { try coder.code(&self) }
}

extension Date: Recorded {
    static var blank: Date { Date(timeIntervalSinceReferenceDate: 0) }

    mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure) {
        try coder.code(&self, as: \.timeIntervalSinceReferenceDate) { Date(timeIntervalSinceReferenceDate: $0) }
    }
}

extension Duration: Recorded {
    static var blank: Duration { .zero }

    mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure) {
        var (seconds, attoseconds) = (Int(clamping: components.seconds), Int(clamping: components.attoseconds))
        try coder.code(&seconds)
        try coder.code(&attoseconds)
        self = Duration(secondsComponent: Int64(seconds), attosecondsComponent: Int64(attoseconds))
    }
}
