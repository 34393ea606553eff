/// Finds the nearest palette colour of each pixel, optionally with error diffusion.
struct ColorMatcher {
    private let nearest: NearestColor
    private let transparentIndex: UInt8
    /// The index plus 1 for each group of colours that agree in the upper six bits of every channel; 0 if not yet
    /// looked up.
    private var cachedIndices = [UInt16](repeating: 0, count: 1 << 18)

    /// The error carried to the next row in sixteenths, padded by one pixel on each side; empty without dithering.
    private var errors: [SIMD4<Int32>]

    /// Creates a matcher for rows of `width` pixels. The palette must be sorted by green, with the transparent colour
    /// last.
    init(_ palette: GIFPalette, dithering: GIFDithering, width: Int) {
        nearest = NearestColor(palette.colors.filter { $0 != .transparent })
        transparentIndex = palette.transparentIndex ?? 0
        errors = dithering == .none ? [] : Array(repeating: .zero, count: width + 2)
    }

    /// Writes the palette index of each pixel of the next row to `indices`.
    mutating func lookUp(_ row: [GIFColor], into indices: inout [UInt8]) {
        if errors.isEmpty {
            for x in row.indices {
                indices[x] = row[x] == .transparent ? transparentIndex : index(of: row[x].channels)
            }
        } else {
            diffuse(row, into: &indices)
        }
    }

    /// Floyd–Steinberg error diffusion: 7/16 of the error go to the right, and 3/16, 5/16 and 1/16 to the pixels below.
    private mutating func diffuse(_ row: [GIFColor], into indices: inout [UInt8]) {
        var below = [SIMD4<Int32>](repeating: .zero, count: row.count + 2)
        var right = SIMD4<Int32>.zero
        for x in row.indices {
            guard row[x] != .transparent else {
                indices[x] = transparentIndex
                right = .zero
                continue
            }
            let error = (errors[x + 1] &+ right &+ 8) &>> 4
            let wanted = (row[x].channels &+ error).clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255))
            indices[x] = index(of: wanted)
            let rest = wanted &- nearest.colors[Int(indices[x])].channels
            right = rest &* 7
            below[x] &+= rest &* 3
            below[x + 1] &+= rest &* 5
            below[x + 2] &+= rest
        }
        errors = below
    }

    private mutating func index(of color: SIMD4<Int32>) -> UInt8 {
        let bin = Int(color.x >> 2) << 12 | Int(color.y >> 2) << 6 | Int(color.z >> 2)
        if cachedIndices[bin] == 0 {
            // The centre of all colours that share this index.
            let middle = (color &>> 2) &<< 2 &+ SIMD4(2, 2, 2, 0)
            cachedIndices[bin] = UInt16(nearest.index(of: middle) + 1)
        }
        return UInt8(cachedIndices[bin] - 1)
    }
}
