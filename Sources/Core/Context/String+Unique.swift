import Synchronization

extension String {
    private static let lastNumber = Atomic(0)

    /// Returns `name` with a number that is unique within the process.
    static func unique(_ name: String) -> String {
        "\(name)(\(lastNumber.add(1, ordering: .relaxed).newValue))"
    }
}
