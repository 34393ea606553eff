import Console
import Darkroom

/// The result of checking one part of the machine.
struct Check: Sendable {
    /// Whether that part works.
    enum Status: String, Sendable {
        /// It works as expected.
        case ok
        /// It works, but in a way that may surprise.
        case note
        /// It does not work.
        case failed
    }

    /// A stable identifier of the part.
    let name: String
    var status = Status.ok
    /// The finding, for the user.
    let finding: String
    /// The versions of the libraries that it uses.
    var libraries: [String: String] = [:]

    /// Prints the check as a line of aligned columns, or as a JSON object.
    func print(asJSON isJSON: Bool) {
        guard isJSON else {
            return FileDescriptor.standardOutput.print(
                status.rawValue.padded(to: 8) + name.padded(to: 11) + finding)
        }
        JSONLine(["check": name, "status": status.rawValue, "finding": finding, "libraries": libraries]).print()
    }
}
