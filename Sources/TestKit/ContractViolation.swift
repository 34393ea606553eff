/// A rule of a contract that a plug-in breaks.
public struct ContractViolation: Error, CustomStringConvertible {
    /// The type of the plug-in.
    public let subject: String

    /// A sentence that describes the broken rule.
    public let message: String

    /// The subject and the message.
    public var description: String { "\(subject): \(message)" }
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

    /// Runs `body`, which must not fail, and converts its errors to violations.
    func running<Result>(_ what: String = "a complete file", _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            if error is ContractViolation { throw error }
            throw violation("\(what) ends in \(error)")
        }
    }

    /// Runs `body`, which tries `input`. If a signal ends the process meanwhile, the plug-in and the input are printed.
    func trying<Result>(_ input: @autoclosure () -> String, _ body: () throws -> Result) rethrows -> Result {
        try TrialRecord.naming(input(), of: name, body)
    }
}
