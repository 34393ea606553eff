import DarkroomCore
import DarkroomTestKit
import TestSupport
import Testing

extension Bitmap {
    /// Returns the result of `transformer` for this bitmap.
    func after(_ transformer: some ImageTransformer) throws -> Bitmap {
        try transformer.transform(self, for: TransformRequest())
    }

    /// A bitmap of random pixels.
    static func noise(_ width: Int, _ height: Int, hasAlpha: Bool = false, seed: UInt64 = 1) -> Bitmap {
        var random = SeededGenerator(seed: seed)
        return Bitmap(width, height, hasAlpha: hasAlpha) { _, _ in
            let bits = UInt32.random(in: 0...UInt32.max, using: &random)
            return Color(
                red: UInt8(bits & 255), green: UInt8(bits >> 8 & 255), blue: UInt8(bits >> 16 & 255),
                alpha: hasAlpha ? UInt8(bits >> 24) : 255)
        }
    }

    /// Whether alpha is within `tolerance` of that of `other` everywhere, and so is the colour times alpha.
    func isPremultipliedWithin(_ tolerance: Double, of other: Bitmap) -> Bool {
        guard size == other.size else { return false }
        return (0..<size.height).allSatisfy { y in
            (0..<size.width).allSatisfy { x in
                guard let left = color(x: x, y: y), let right = other.color(x: x, y: y) else { return false }
                let distance = left.premultiplied - right.premultiplied
                return distance.max() <= tolerance && distance.min() >= -tolerance
            }
        }
    }
}

extension Color {
    /// Fully transparent.
    static let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)

    /// Opaque red.
    static let pureRed = Color(red: 255, green: 0, blue: 0)

    /// Opaque blue.
    static let pureBlue = Color(red: 0, green: 0, blue: 255)

    /// The premultiplied channels, 0 to 255.
    var premultiplied: SIMD4<Double> {
        var channels = SIMD4(Double(red), Double(green), Double(blue), 255)
        channels *= Double(alpha) / 255
        return channels
    }

    /// Returns the colour of premultiplied channels, after multiplying all of them by `coverage`.
    init(premultiplied: SIMD4<Double>, coverage: Double) {
        let alpha = premultiplied.w
        func channel(_ value: Double) -> UInt8 { UInt8(min(max(value * 255 / alpha, 0), 255).rounded()) }
        guard alpha >= 0.5, (min(alpha, 255) * coverage).rounded() > 0 else {
            self = .clear
            return
        }
        self.init(
            red: channel(premultiplied.x), green: channel(premultiplied.y), blue: channel(premultiplied.z),
            alpha: UInt8((min(alpha, 255) * coverage).rounded()))
    }
}

/// Expects an error of kind `unsupported` of the stage `transform` whose message contains `words`.
func expectUnsupported(
    _ transformer: any ImageTransformer, saying words: String, on bitmap: Bitmap = .noise(4, 4),
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let error = #expect(throws: ImageError.self, sourceLocation: sourceLocation) {
        try transformer.transform(bitmap, for: TransformRequest())
    }
    #expect(error?.kind == .unsupported && error?.stage == .transform, sourceLocation: sourceLocation)
    #expect(error.map { "\($0)".contains(words) } == true, "\(error as Any)", sourceLocation: sourceLocation)
}

/// Expects an error of kind `overLimit`.
func expectOverLimit(
    _ transformer: any ImageTransformer, on bitmap: Bitmap = .noise(4, 4),
    sourceLocation: SourceLocation = #_sourceLocation
) {
    let error = #expect(throws: ImageError.self, sourceLocation: sourceLocation) {
        try transformer.transform(bitmap, for: TransformRequest())
    }
    #expect(error?.kind == .overLimit, sourceLocation: sourceLocation)
}
