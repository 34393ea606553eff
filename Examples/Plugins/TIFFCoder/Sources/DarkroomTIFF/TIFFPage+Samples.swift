import CTIFF
import DarkroomCore

extension TIFFPage {
    /// Whether samples are read with 16 bits instead of 8.
    var isDeep: Bool { bitsPerSample > 8 && !becomesSRGB }

    /// Returns the size of a row of `count` pixels in one plane; `Int.max` if it overflows.
    func byteCount(ofPixels count: Int) -> Int {
        let (bits, overflow) = count.multipliedReportingOverflow(by: samplesPerPixel * bitsPerSample)
        return overflow ? .max : bits / 8 + (bits % 8 == 0 ? 0 : 1)
    }

    /// Writes the used samples of `pixelCount` pixels, which start at `offset` of `bytes`, to those from index `x`.
    ///
    /// `plane` is the index of the used sample if each has its plane, or else 0.
    func unpack(
        _ bytes: Span<UInt8>, at offset: Int, plane: Int, pixelCount: Int, to samples: inout MutableSpan<UInt16>,
        from x: Int
    ) {
        let used = usedSamples
        let row = bytes.extracting(offset..<(offset + byteCount(ofPixels: pixelCount)))
        let places = planeCount == 1 ? Array(used.enumerated()) : [(offset: plane, element: 0)]
        for (index, sample) in places {
            var target = x * used.count + index
            var source = sample
            for _ in 0..<pixelCount {
                samples[target] = value(row, source)
                target += used.count
                source += samplesPerPixel
            }
        }
    }

    /// Returns the sample at `index`, scaled to 8 or 16 bits unless it is an index of the palette.
    private func value(_ row: Span<UInt8>, _ index: Int) -> UInt16 {
        switch bitsPerSample {
        case 8: return UInt16(row[index])
        // In the byte order of the machine.
        case 16: return unsafe row.bytes.unsafeLoadUnaligned(fromByteOffset: 2 * index, as: UInt16.self)
        default: break
        }
        let (start, highest) = (index * bitsPerSample, UInt32(1) << UInt32(bitsPerSample) - 1)
        var bits: UInt32 = 0
        for place in 0..<3 {
            let byte = start / 8 + place
            bits = bits << 8 | UInt32(byte < row.count ? row[byte] : 0)
        }
        let value = bits >> UInt32(24 - start % 8 - bitsPerSample) & highest
        if case .palette = colors { return UInt16(value) }
        return UInt16((value * (isDeep ? 65_535 : 255) + highest / 2) / highest)
    }
}
