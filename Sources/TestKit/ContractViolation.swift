/// A rule of a contract that a plug-in breaks.
public struct ContractViolation: Error, CustomStringConvertible {
    /// The type of the plug-in.
    public let subject: String

    /// The input with which the rule was broken, such as the name of a file; `nil` if the message tells it, or there is
    /// none.
    public private(set) var input: String?

    /// A sentence that describes the broken rule.
    public let message: String

    /// The subject, the input and the message.
    public var description: String { [subject, input, message].compactMap(\.self).joined(separator: ": ") }

    init(subject: String, message: String) {
        self.subject = subject
        self.message = message
    }

    /// Returns the violation with `input`, unless it has one.
    func naming(_ input: String) -> ContractViolation {
        var violation = self
        violation.input = self.input ?? input
        return violation
    }
}

/// The plug-in under test.
struct Subject: Sendable {
    let name: String

    init(_ plugin: Any) { name = "\(type(of: plugin))" }

    /// Returns a violation with `message`.
    func violation(_ message: String) -> ContractViolation { ContractViolation(subject: name, message: message) }

    /// Throws a violation with `message` unless `condition` holds.
    func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
        guard condition else { throw violation(message()) }
    }

    /// Runs `body`, which must not fail, and converts its errors to violations. All of them name the `input`.
    func running<Result>(_ input: String, _ body: () throws -> Result) throws -> Result {
        try naming(input) { try running(body) }
    }

    /// Runs `body`, which must not fail, and converts its errors to violations.
    func running<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            if error is ContractViolation { throw error }
            throw violation("it ends in \(error)")
        }
    }

    /// Runs `body`, and adds `input` to its violations if they name none.
    func naming<Result>(_ input: @autoclosure () -> String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let violation as ContractViolation {
            throw violation.naming(input())
        }
    }

    /// Runs `body`, which tries `input`. If a signal ends the process meanwhile, the plug-in and the input are printed.
    func trying<Result>(_ input: @autoclosure () -> String, _ body: () throws -> Result) rethrows -> Result {
        try TrialRecord.naming(input(), of: name, body)
    }
}
