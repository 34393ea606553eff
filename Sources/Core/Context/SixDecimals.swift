extension BinaryFloatingPoint {
    /// The number in C's `%f` notation: six decimals, rounded from the exact binary value, ties to even.
    ///
    /// Keys and identifiers are written with it, so that they equal SDWebImage's byte for byte.
    package var sixDecimals: String {
        let value = Double(self)
        guard value.isFinite else { return "\(value)" }
        let magnitude = value.magnitude
        let whole = magnitude.rounded(.towardZero)
        // The fraction of a double has at most 52 binary digits more than fit below; fma tells which way the product was rounded.
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
    /// The number that its six decimals stand for; 0 when it is not finite. Never a negative zero, which is written otherwise.
    var roundedToSixDecimals: Double {
        guard isFinite else { return 0 }
        return (self == rounded() ? self : Double(sixDecimals) ?? self) + 0
    }
}

/// The decimal digits of a whole number of any size.
private func wholeDigits(_ value: Double) -> String {
    if let small = UInt64(exactly: value) { return String(small) }
    // A double beyond 2⁶⁴ is a 53-bit number shifted left: double its digits as often.
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
