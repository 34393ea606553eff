/// What a plug-in does not hold.
public struct ContractViolation: Error, CustomStringConvertible {
    /// The plug-in's type.
    public let subject: String

    /// One sentence.
    public let message: String

    /// Both.
    public var description: String { "\(subject): \(message)" }
}

/// The plug-in that a contract is about.
struct Subject: Sendable {
    let name: String

    init(_ plugin: Any) { name = "\(type(of: plugin))" }

    /// A violation that says `message`.
    func violation(_ message: String) -> ContractViolation { ContractViolation(subject: name, message: message) }

    /// Throws a violation that says `message` unless `condition` holds.
    func require(_ condition: Bool, _ message: @autoclosure () -> String) throws {
        guard condition else { throw violation(message()) }
    }

    /// Runs what has no reason to fail, and makes a violation of what it throws.
    func running<Result>(_ what: String = "a whole file", _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            if error is ContractViolation { throw error }
            throw violation("\(what) ends in \(error)")
        }
    }
}
