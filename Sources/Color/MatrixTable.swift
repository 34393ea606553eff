import DarkroomCore

/// A conversion of colours whose channels are additive in linear light, as for every matrix and curve profile.
///
/// The contribution of each channel level comes from a lookup table, and so does the level of their sum. It is several
/// times as fast as Little CMS, and never differs from it by more than one level.
struct MatrixTable: DeepeningRowConversion, Sendable {
    /// The fractional bits of a sum, and of the indices of `levels`.
    private static let sumBits = 20, fractionBits = 14
    private static let whiteIndex = Int32(1) << fractionBits

    /// The contributions of the 256 levels of red, green and blue, each to all three channels.
    private let red, green, blue: [SIMD4<Int32>]

    /// The level for each index, by the curve of sRGB, from black to white.
    private let levels: [UInt8]

    let deep: Lazy<(any DeepConversion)?>

    /// Creates the tables, or returns `nil` if the channels are not additive; `reference` is the exact conversion.
    init?(
        from profile: ColorProfile, to space: OutputColorSpace, matching reference: ColorTransform,
        deep: Lazy<(any DeepConversion)?>
    ) throws(ImageError) {
        self.deep = deep
        let colors = (0..<3).flatMap { channel in
            (0...255).flatMap { level in (0..<3).map { $0 == channel ? Double(level) / 255 : 0 } }
        }
        let light = try profile.light(of: colors, in: space)
        // Each table includes black, which must count only once.
        guard let red = Self.table(light, from: 0, minusBlack: 2),
            let green = Self.table(light, from: 256, minusBlack: 0),
            let blue = Self.table(light, from: 512, minusBlack: 0)
        else { return nil }
        (self.red, self.green, self.blue) = (red, green, blue)
        levels = try profile.context.sRGBLevels(count: Int(Self.whiteIndex))
        guard agrees(with: reference) else { return nil }
    }

    mutating func convert(_ pixels: inout MutableSpan<UInt8>) {
        let (red, green, blue, levels) = (red.span, green.span, blue.span, levels.span)
        let white = SIMD4(repeating: Self.whiteIndex)
        for index in stride(from: 0, to: pixels.count, by: 4) {
            let sum = red[Int(pixels[index])] &+ green[Int(pixels[index + 1])] &+ blue[Int(pixels[index + 2])]
            let place = (sum &>> Int32(Self.sumBits - Self.fractionBits)).clamped(lowerBound: .zero, upperBound: white)
            pixels[index] = levels[Int(place.x)]
            pixels[index + 1] = levels[Int(place.y)]
            pixels[index + 2] = levels[Int(place.z)]
        }
    }

    /// Returns the 256 colours of `light` from `start`, minus `count` times the first; `nil` if they are implausibly
    /// large.
    private static func table(_ light: [Double], from start: Int, minusBlack count: Double) -> [SIMD4<Int32>]? {
        var table: [SIMD4<Int32>] = []
        for color in start..<(start + 256) {
            let values = (0..<3).map { light[color * 3 + $0] - count * light[start * 3 + $0] }
            // The sum of three, and the rounding offset, fit in 32 bits.
            guard values.allSatisfy({ abs($0) < 64 }) else { return nil }
            let parts = values.map { Int32(($0 * Double(1 << sumBits)).rounded()) }
            table.append(SIMD4(parts[0], parts[1], parts[2], 0))
        }
        // Half an index step, so that sums are rounded.
        return count > 0 ? table.map { $0 &+ SIMD4(repeating: 1 << Int32(sumBits - fractionBits - 1)) } : table
    }

    private func agrees(with reference: ColorTransform) -> Bool {
        var (expected, found, table) = (PixelSamples.colors, PixelSamples.colors, self)
        var span = expected.mutableSpan
        reference.apply(to: &span)
        span = found.mutableSpan
        table.convert(&span)
        return PixelSamples.areApproximatelyEqual(expected, found)
    }
}
