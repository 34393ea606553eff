import DarkroomCore

/// At most 256 colours for a bitmap: its own where they are so few, otherwise those that a median cut finds.
struct GIFPalette {
    /// The colours by index.
    let colors: [GIFColor]

    /// The colours of a bitmap and their indices, or the median cut's parts.
    private enum Indices {
        case exact([GIFColor: UInt8])
        case reduced(ReducedColors)
    }

    private let indices: Indices

    /// The index of transparent pixels, if there are any.
    var transparentIndex: UInt8? { colors.firstIndex(of: .transparent).map(UInt8.init) }

    /// Looks at all pixels of `bitmap`; `checkCancellation` is called once a row.
    init(_ bitmap: Bitmap, checkCancellation: () throws -> Void) throws {
        if let exact = try exactColors(of: bitmap, checkCancellation) {
            (colors, indices) = (exact.colors, .exact(exact.indices))
        } else {
            var histogram = ColorHistogram()
            try bitmap.forEachRow { row in
                try checkCancellation()
                for x in 0..<bitmap.size.width { histogram.add(GIFColor(row, x)) }
            }
            let reduced = histogram.reduced(to: 256)
            (colors, indices) = (reduced.colors, .reduced(reduced))
        }
    }

    /// Writes the index of each pixel of `row` to `output`, which has an element for each.
    func lookUp(_ row: Span<UInt8>, into output: inout [UInt8]) {
        var last = GIFColor.transparent
        var index = transparentIndex ?? 0
        for x in output.indices {
            let color = GIFColor(row, x)
            if color != last { (last, index) = (color, self.index(of: color)) }
            output[x] = index
        }
    }

    private func index(of color: GIFColor) -> UInt8 {
        switch indices {
        case .exact(let indices): indices[color] ?? 0
        case .reduced(let colors): colors.index(of: color)
        }
    }
}

/// The colours of `bitmap` in the order they first occur; `nil` when they are more than 256.
private func exactColors(
    of bitmap: Bitmap, _ checkCancellation: () throws -> Void
) throws -> (colors: [GIFColor], indices: [GIFColor: UInt8])? {
    var colors: [GIFColor] = []
    var indices: [GIFColor: UInt8] = [:]
    var last: GIFColor?
    try bitmap.forEachRow { row in
        try checkCancellation()
        for x in 0..<bitmap.size.width where colors.count <= 256 {
            let color = GIFColor(row, x)
            guard color != last else { continue }
            last = color
            guard indices[color] == nil else { continue }
            indices[color] = UInt8(truncatingIfNeeded: colors.count)
            colors.append(color)
        }
    }
    return colors.count <= 256 ? (colors, indices) : nil
}
