import DarkroomCore

/// A conversion of colours and inks, pixel by pixel.
struct TransformedRows: DeepeningRowConversion, Sendable {
    let transform: ColorTransform

    /// Whether the fourth byte was an ink and is replaced by opaque alpha.
    let makesOpaque: Bool

    let deep: Lazy<(any DeepConversion)?>

    mutating func convert(_ pixels: inout MutableSpan<UInt8>) {
        transform.apply(to: &pixels)
        guard makesOpaque else { return }
        for index in stride(from: 3, to: pixels.count, by: 4) { pixels[index] = 255 }
    }
}

/// A conversion of greys by a lookup table.
struct GrayTable: DeepeningRowConversion, Sendable {
    /// The colours of the 256 greys, four bytes each.
    private let colors: [UInt8]

    let deep: Lazy<(any DeepConversion)?>

    init(from profile: ColorProfile, deep: Lazy<(any DeepConversion)?>) throws(ImageError) {
        self.deep = deep
        var colors = PixelSamples.grays
        // Little CMS would interpolate between a few greys, which is too coarse for the curve of dark ones.
        let transform = try ColorTransform(from: profile, isExact: true)
        var span = colors.mutableSpan
        transform.apply(to: &span)
        self.colors = colors
    }

    /// Whether every grey is unchanged.
    var isIdentity: Bool { PixelSamples.areApproximatelyEqual(colors, PixelSamples.grays) }

    mutating func convert(_ pixels: inout MutableSpan<UInt8>) {
        for index in stride(from: 0, to: pixels.count, by: 4) {
            let tone = Int(pixels[index]) * 4
            pixels[index] = colors[tone]
            pixels[index + 1] = colors[tone + 1]
            pixels[index + 2] = colors[tone + 2]
        }
    }
}

extension ColorTransform {
    /// Whether every colour is unchanged, to the precision of 8 bits.
    var isIdentity: Bool {
        var colors = PixelSamples.colors
        var span = colors.mutableSpan
        apply(to: &span)
        return PixelSamples.areApproximatelyEqual(colors, PixelSamples.colors)
    }
}

/// Opaque pixels for testing a conversion.
enum PixelSamples {
    /// Every grey, from black to white.
    static let grays = (0...255).flatMap { (tone: UInt8) -> [UInt8] in [tone, tone, tone, 255] }

    /// A grid of colours, and the greys.
    static let colors: [UInt8] = {
        var colors = grays
        let levels = (0...15).map { (level: UInt8) in level * 17 }
        for red in levels {
            for green in levels {
                for blue in levels { colors += [red, green, blue, 255] }
            }
        }
        return colors
    }()

    /// Returns whether no channel differs by more than a rounding error.
    static func areApproximatelyEqual(_ first: [UInt8], _ second: [UInt8]) -> Bool {
        zip(first, second).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
    }
}
