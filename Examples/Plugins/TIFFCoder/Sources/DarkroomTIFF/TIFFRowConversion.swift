import DarkroomCore

/// The conversion of samples to RGBA8 in sRGB or the profile of the page.
struct TIFFRowConversion {
    private let page: TIFFPage
    private let hasAlpha: Bool
    /// The level of full intensity.
    private let highest: UInt32
    private var inks: (any RowConversion)?
    private var deep: (any RowConversion)?
    private var pixels: [UInt16]
    private var alphas: [UInt16]
    private let lab: LabConversion?

    /// Creates the conversion of the rows of `page`.
    ///
    /// If the header declares more than 8 bits, pixels of all pages are converted to sRGB here; otherwise Core does it.
    init(_ page: TIFFPage, _ request: DecodeRequest) {
        self.page = page
        hasAlpha = page.alphaIndex != nil
        highest = page.isDeep ? 65_535 : 255
        if page.colors == .inks {
            inks = request.makeRowConversion()
        } else if request.info.bitsPerChannel > 8 {
            deep = request.makeDeepRowConversion()
        }
        if case .lab(let isSigned) = page.colors {
            lab = LabConversion(isSigned: isSigned, bitsPerSample: page.bitsPerSample)
        } else {
            lab = nil
        }
        pixels = [UInt16](repeating: 0, count: page.size.width * 4)
        alphas = [UInt16](repeating: UInt16(highest), count: page.colors == .inks ? page.size.width : 0)
    }

    /// Converts the used samples of a row.
    mutating func convert(_ samples: Span<UInt16>, to row: inout MutableSpan<UInt8>) {
        expand(samples)
        if page.colors == .inks { return convertInks(to: &row) }
        guard var conversion = deep else { return round(to: &row) }
        if !page.isDeep { for index in pixels.indices { pixels[index] *= 257 } }
        conversion.convert(pixels.span, to: &row)
        deep = conversion
    }

    /// Makes four values of the samples of each pixel: red, green, blue and alpha, or the inks.
    private mutating func expand(_ samples: Span<UInt16>) {
        let (colorCount, sampleCount) = (page.colorCount, page.usedSamples.count)
        let width = page.size.width
        for x in 0..<width {
            let source = x * sampleCount
            let alpha = hasAlpha ? level(ofAlpha: samples[source + colorCount]) : UInt16(highest)
            var pixel: SIMD4<UInt16>
            switch page.colors {
            case .gray(let isInverted):
                let level = isInverted ? UInt16(highest) - samples[source] : samples[source]
                pixel = SIMD4(level, level, level, alpha)
            case .rgb, .converted: pixel = SIMD4(samples[source], samples[source + 1], samples[source + 2], alpha)
            case .palette(let palette):
                pixel = SIMD4(truncatingIfNeeded: palette[min(Int(samples[source]), palette.count - 1)])
                if hasAlpha { pixel.w = alpha }
            case .lab:
                let color = SIMD4(samples[source], samples[source + 1], samples[source + 2], 0)
                pixel = lab?.color(of: color) ?? .zero
                pixel.w = alpha
            case .inks:
                pixel = SIMD4(
                    samples[source], samples[source + 1], samples[source + 2], samples[source + 3])
                alphas[x] = alpha
            }
            if page.isPremultiplied { divide(&pixel, by: UInt32(alpha)) }
            for channel in 0..<4 { pixels[4 * x + channel] = pixel[channel] }
        }
    }

    private func level(ofAlpha sample: UInt16) -> UInt16 {
        lab != nil && page.bitsPerSample == 16 ? sample >> 8 : sample
    }

    private func divide(_ pixel: inout SIMD4<UInt16>, by alpha: UInt32) {
        guard alpha > 0, alpha < highest else { return }
        for channel in 0..<(page.colors == .inks ? 4 : 3) {
            pixel[channel] = UInt16(min(highest, (UInt32(pixel[channel]) * highest + alpha / 2) / alpha))
        }
    }

    /// Reduces the values to 8 bits.
    private func round(to row: inout MutableSpan<UInt8>) {
        for index in row.indices { row[index] = rounded(pixels[index]) }
    }

    private func rounded(_ value: UInt16) -> UInt8 {
        page.isDeep ? UInt8((UInt32(value) * 255 + 32_895) >> 16) : UInt8(truncatingIfNeeded: value)
    }

    private mutating func convertInks(to row: inout MutableSpan<UInt8>) {
        round(to: &row)
        if inks != nil {
            inks?.convert(&row)
        } else {
            for place in stride(from: 0, to: row.count, by: 4) {
                let key = 255 - UInt32(row[place + 3])
                for channel in place..<(place + 3) {
                    row[channel] = UInt8(((255 - UInt32(row[channel])) * key + 127) / 255)
                }
                row[place + 3] = 255
            }
        }
        guard hasAlpha else { return }
        for x in alphas.indices { row[4 * x + 3] = rounded(alphas[x]) }
    }
}
