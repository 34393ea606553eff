// For byte counts read from headers, which can have any value.
extension Int {
    /// Returns the sum, or `Int.max` on overflow.
    package func adding(_ other: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }

    /// Returns the product, or `Int.max` on overflow. Both factors must be 0 or more.
    package func multiplied(by other: Int) -> Int {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }

    /// Returns the difference, or `Int.max` on overflow.
    func subtracting(_ other: Int) -> Int {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? .max : difference
    }
}
