import DarkroomCore

extension ClosedRange<Double> {
    /// Throws an error that names the parameter when `value` is not within; NaN never is.
    func require(_ value: Double, _ name: String) throws {
        guard contains(value) else {
            throw ImageError(
                .unsupported, .transform, "\(name) is \(value), and must be \(lowerBound) to \(upperBound)")
        }
    }
}
