/// The text encoding of wave amplitudes: the mean as a colour, all others in 19 steps up to the largest one.
struct StrengthCoding {
    /// The quantized maximum, one of 83 values.
    private let scale: Int

    /// Creates an encoding with the finest scale that covers `strengths`.
    init(_ strengths: [SIMD3<Float>]) {
        let most = strengths.dropFirst().flatMap { [abs($0.x), abs($0.y), abs($0.z)] }.max() ?? 0
        scale = max(0, min(82, Int(most * 166 - 0.5)))
    }

    private init(scale: Int) { self.scale = scale }

    private var strongest: Float { Float(scale + 1) / 166 }

    /// Returns the encoded text.
    func text(_ strengths: [SIMD3<Float>], columns: Int, rows: Int) -> String {
        let mean = strengths[0].sRGB
        let color = Int(mean.x) << 16 | Int(mean.y) << 8 | Int(mean.z)
        return Base83.text(columns - 1 + (rows - 1) * 9, digits: 1)
            + Base83.text(strengths.count > 1 ? scale : 0, digits: 1)
            + Base83.text(color, digits: 4)
            + strengths.dropFirst().map { Base83.text(steps(of: $0), digits: 2) }.joined()
    }

    /// Returns the amplitudes after an encoding round trip.
    func rounded(_ strengths: [SIMD3<Float>]) -> [SIMD3<Float>] {
        let mean = strengths[0].sRGB
        return [Self.light(of: mean)] + strengths.dropFirst().map { strength(of: steps(of: $0)) }
    }

    /// Decodes a text; `nil` when it is not a hash.
    static func parse(_ text: String) -> (columns: Int, rows: Int, strengths: [SIMD3<Float>])? {
        let digits = Array(text.utf8)
        guard digits.count >= 6, let counts = Base83.number(digits[0..<1]), counts < 81,
            let scale = Base83.number(digits[1..<2]), let color = Base83.number(digits[2..<6]), color < 1 << 24
        else { return nil }
        let (columns, rows) = (counts % 9 + 1, counts / 9 + 1)
        guard digits.count == 4 + 2 * columns * rows else { return nil }
        let coding = StrengthCoding(scale: scale)
        var strengths = [light(of: SIMD3(UInt8(color >> 16), UInt8(color >> 8 & 255), UInt8(color & 255)))]
        for start in stride(from: 6, to: digits.count, by: 2) {
            guard let steps = Base83.number(digits[start..<(start + 2)]), steps < 19 * 19 * 19 else { return nil }
            strengths.append(coding.strength(of: steps))
        }
        return (columns, rows, strengths)
    }

    private func steps(of strength: SIMD3<Float>) -> Int {
        func steps(_ value: Float) -> Int {
            let part = value / strongest
            let root = (abs(part).squareRoot()) * (part < 0 ? -1 : 1)
            return Int(max(0, min(18, (root * 9 + 9.5).rounded(.down))))
        }
        return (steps(strength.x) * 19 + steps(strength.y)) * 19 + steps(strength.z)
    }

    private func strength(of steps: Int) -> SIMD3<Float> {
        func value(_ steps: Int) -> Float {
            let root = Float(steps - 9) / 9
            return root * abs(root) * strongest
        }
        return SIMD3(value(steps / 361), value(steps / 19 % 19), value(steps % 19))
    }

    private static func light(of color: SIMD3<UInt8>) -> SIMD3<Float> {
        SIMD3(color.x.light, color.y.light, color.z.light)
    }
}
