import Synchronization

extension String {
    private static let lastNumber = Atomic(0)

    /// `name` with a number that is never given again.
    static func unique(_ name: String) -> String {
        "\(name)(\(lastNumber.add(1, ordering: .relaxed).newValue))"
    }
}
