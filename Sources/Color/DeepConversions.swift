import DarkroomCore

/// A conversion of pixels with 16 bits per channel to RGBA8 in sRGB. Alpha, the fourth value, is left to the caller.
protocol DeepConversion: Sendable {
    /// Converts pixels of four values each.
    func convert(_ deep: Span<UInt16>, to pixels: inout MutableSpan<UInt8>)
}

/// A conversion of rows that has another one for pixels with 16 bits per channel. Since few files need that one, it is
/// made when it is first needed.
protocol DeepeningRowConversion: RowConversion {
    /// The conversion of pixels with 16 bits per channel; `nil` if there is none.
    var deep: Lazy<(any DeepConversion)?> { get }
}

extension DeepeningRowConversion {
    mutating func convert(_ deep: Span<UInt16>, to pixels: inout MutableSpan<UInt8>) {
        guard let conversion = self.deep.value else {
            for index in deep.indices { pixels[index] = deep[index].rounded }
            return convert(&pixels)
        }
        conversion.convert(deep, to: &pixels)
        for index in stride(from: 3, to: deep.count, by: 4) { pixels[index] = deep[index].rounded }
    }
}

extension UInt16 {
    /// The nearest level of 8 bits.
    fileprivate var rounded: UInt8 { UInt8((UInt32(self) * 255 + 32_895) >> 16) }
}

/// A conversion by Little CMS.
struct DeepTransform: DeepConversion {
    /// A transform of pixels with 16 bits per channel.
    let transform: ColorTransform

    func convert(_ deep: Span<UInt16>, to pixels: inout MutableSpan<UInt8>) {
        transform.apply(to: deep, into: &pixels)
    }
}

/// A conversion of greys by a lookup table of all levels.
struct DeepGrayTable: DeepConversion {
    /// The colours of the 65,536 greys, four bytes each.
    private let colors: [UInt8]

    init(from profile: ColorProfile) throws(ImageError) {
        let grays = (0...UInt16.max).flatMap { [$0, $0, $0, .max] }
        var colors = [UInt8](repeating: 255, count: grays.count)
        var span = colors.mutableSpan
        try ColorTransform(from: profile, isExact: true, isDeep: true).apply(to: grays.span, into: &span)
        self.colors = colors
    }

    func convert(_ deep: Span<UInt16>, to pixels: inout MutableSpan<UInt8>) {
        let colors = colors.span
        for index in stride(from: 0, to: deep.count, by: 4) {
            let tone = Int(deep[index]) * 4
            pixels[index] = colors[tone]
            pixels[index + 1] = colors[tone + 1]
            pixels[index + 2] = colors[tone + 2]
        }
    }
}

/// A conversion by three curves, each of 65,536 levels, and a matrix.
struct DeepMatrix: DeepConversion {
    /// The largest index of `levels`.
    private static let white = Int32(UInt16.max)

    /// How much of each primary a level stands for: 0 for the lowest level, and 1 for the highest.
    private let red, green, blue: [Float]

    /// The light of black, and what each full primary adds, as indices of `levels`.
    private let black, redLight, greenLight, blueLight: SIMD4<Float>

    /// The level for each index, by the curve of sRGB, from black to white.
    private let levels: [UInt8]

    /// Creates the conversion, or returns `nil` if the curves of `profile` do not define its colours.
    init?(from profile: ColorProfile, to space: OutputColorSpace) throws(ImageError) {
        guard let curves = profile.curves else { return nil }
        (red, green, blue) = (curves[0], curves[1], curves[2])
        let samples = (0..<3).flatMap { channel in
            (0...255).flatMap { level in (0..<3).map { $0 == channel ? Double(level) / 255 : 0 } }
        }
        let light = try profile.light(of: samples, in: space)
        func color(_ index: Int) -> [Double] { (0..<3).map { light[index * 3 + $0] } }
        let black = color(0)
        let primaries = (0..<3).map { channel in zip(color(channel * 256 + 255), black).map(-) }
        for (channel, primary) in primaries.enumerated() {
            for level in 0...255 {
                let expected = color(channel * 256 + level)
                let amount = Double(curves[channel][level * 257])
                let isEqual = (0..<3).allSatisfy { abs(black[$0] + primary[$0] * amount - expected[$0]) < 0.0005 }
                guard isEqual else { return nil }
            }
        }
        self.black = Self.indices(black)
        (redLight, greenLight, blueLight) = (
            Self.indices(primaries[0]), Self.indices(primaries[1]), Self.indices(primaries[2])
        )
        levels = try profile.context.sRGBLevels(count: Int(Self.white))
    }

    func convert(_ deep: Span<UInt16>, to pixels: inout MutableSpan<UInt8>) {
        let (red, green, blue, levels) = (red.span, green.span, blue.span, levels.span)
        let (lowest, highest) = (SIMD4<Float>.zero, SIMD4(repeating: Float(Self.white)))
        for index in stride(from: 0, to: deep.count, by: 4) {
            var light = black
            light += redLight * red[Int(deep[index])]
            light += greenLight * green[Int(deep[index + 1])]
            light += blueLight * blue[Int(deep[index + 2])]
            let place = SIMD4<Int32>(light.clamped(lowerBound: lowest, upperBound: highest), rounding: .toNearestOrEven)
            pixels[index] = levels[Int(place.x)]
            pixels[index + 1] = levels[Int(place.y)]
            pixels[index + 2] = levels[Int(place.z)]
        }
    }

    private static func indices(_ light: [Double]) -> SIMD4<Float> {
        SIMD4(Float(light[0]), Float(light[1]), Float(light[2]), 0) * Float(white)
    }
}
