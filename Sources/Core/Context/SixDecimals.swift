extension BinaryFloatingPoint {
    /// The number in C's `%f` notation: six decimals, rounded from the exact binary value, ties to even.
    ///
    /// Keys and identifiers use it, and those of plug-ins should: equal numbers have equal texts, unlike with
    /// descriptions such as `1e-05`. It needs nothing of Foundation, and so does not add it to a program, as
    /// `String(format:)` does.
    public var sixDecimals: String {
        let value = Double(self)
        guard value.isFinite else { return "\(value)" }
        let magnitude = value.magnitude
        let whole = magnitude.rounded(.towardZero)
        // The product of the 52-bit fraction and a million is rounded; the fused multiply-add yields the rounding
        // error.
        let fraction = magnitude - whole
        let product = fraction * 1_000_000
        let error = (-product).addingProduct(fraction, 1_000_000)
        var micros = product.rounded(.toNearestOrEven)
        let distance = product - micros
        if distance == 0.5, error > 0 { micros += 1 }
        if distance == -0.5, error < 0 { micros -= 1 }
        let carried = micros >= 1_000_000
        let decimals = String(Int(carried ? 0 : micros))
        let sign = value.sign == .minus ? "-" : ""
        return
            "\(sign)\(wholeDigits(carried ? whole + 1 : whole)).\(String(repeating: "0", count: 6 - decimals.count))\(decimals)"
    }
}

extension Double {
    /// The number that the six decimals represent; itself if it is not finite. Negative zero becomes 0, because its text
    /// differs.
    package var roundedToSixDecimals: Double { (self == rounded() ? self : Double(sixDecimals) ?? self) + 0 }
}

/// Returns the decimal digits of a whole number of any size.
private func wholeDigits(_ value: Double) -> String {
    if let small = UInt64(exactly: value) { return String(small) }
    // A double beyond 2⁶⁴ is a 53-bit integer shifted left, so its digits are doubled as many times.
    var digits = Array(String(UInt64(value.significandBitPattern | 1 << 52)).utf8.reversed().map { $0 - 48 })
    for _ in 0..<(Int(value.exponent) - 52) {
        var carry: UInt8 = 0
        for index in digits.indices {
            let doubled = digits[index] * 2 + carry
            digits[index] = doubled % 10
            carry = doubled / 10
        }
        if carry > 0 { digits.append(carry) }
    }
    return String(decoding: digits.reversed().map { $0 + 48 }, as: UTF8.self)
}
