import DarkroomCore

extension ClosedRange<Double> {
    /// Throws an error that names the parameter if `value` is not in the range; NaN never is.
    func require(_ value: Double, name: String) throws {
        guard contains(value) else { throw value.unsupported(name, allowed: "\(lowerBound) to \(upperBound)") }
    }
}
