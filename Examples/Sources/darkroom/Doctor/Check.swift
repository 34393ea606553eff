import Console
import Darkroom

/// What was found out about one part of the machine.
struct Check: Sendable {
    /// Whether Darkroom can work.
    enum Status: String, Sendable {
        /// It is as it should be.
        case ok
        /// It works, but somebody may be surprised.
        case note
        /// Something will not work.
        case failed
    }

    /// A word that names the part, and never changes.
    let name: String
    var status = Status.ok
    /// What a person wants to know about it.
    let finding: String
    /// The libraries that it stands on.
    var libraries: [String: String] = [:]

    /// Tells it as a line of aligned columns, or as a JSON object.
    func print(asJSON isJSON: Bool) {
        guard isJSON else {
            return FileDescriptor.standardOutput.print(
                status.rawValue.padded(to: 8) + name.padded(to: 11) + finding)
        }
        JSONLine(["check": name, "status": status.rawValue, "finding": finding, "libraries": libraries]).print()
    }
}
