/// Floyd–Steinberg error diffusion in alternating directions: 7/16 of the error of a pixel go to the next one, and 3/16,
/// 5/16 and 1/16 to the pixels below.
///
/// The error fades on its way, so that it does not reach distant areas. It fades faster in textures, which hide bands, and
/// where noise would only cost bytes.
struct ErrorDiffusion {
    /// The part of the error that flat areas and gradients hand on at full strength.
    private static let handedOn: Float = 0.9
    /// The least that other areas hand on, as a part of that.
    private static let handedOnInTexture: Float = 0.5
    /// The difference from a gradient at which nothing would be handed on without that bound.
    private static let largestBend: Float = 12
    /// Larger errors, which occur if the palette lacks similar colours, are handed on as this one.
    private static let largestError: Float = 24

    private let strength: Float
    /// The error handed on to the next row, padded by one pixel on each side.
    private var errors: [ColorPoint]
    private var below: [ColorPoint]
    /// The pixels of this row and of the two above, if there are such.
    private var points: [ColorPoint]
    private var above: [ColorPoint] = []
    private var highest: [ColorPoint] = []
    /// For each pixel of this row, a sixteenth of the part of its error that is handed on.
    private var parts: [Float]
    private var isLeftward = false

    /// Creates the diffusion for rows of `width` pixels. `strength` is at most 1.
    init(strength: Float, width: Int) {
        self.strength = strength * Self.handedOn
        errors = Array(repeating: .zero, count: width + 2)
        below = errors
        points = Array(repeating: .zero, count: width)
        parts = Array(repeating: 0, count: width)
    }

    /// Writes the index of each pixel of the next row to `indices`. A pixel that is the same in `previous`, if given, keeps
    /// its index, and hands on no error, like a transparent one.
    mutating func lookUp(
        _ row: [PackedColor], previous: [PackedColor]?, in search: inout PaletteSearch, into indices: inout [UInt8]
    ) {
        for x in row.indices { points[x] = ColorPoint(row[x]) }
        for x in below.indices { below[x] = .zero }
        measureTexture()
        var ahead = ColorPoint.zero
        let step = isLeftward ? -1 : 1
        for place in row.indices {
            let x = isLeftward ? row.count - 1 - place : place
            let color = row[x]
            guard previous?[x] != color, color != .transparent else {
                if previous?[x] != color { indices[x] = UInt8(search.index(of: color, at: points[x])) }
                ahead = .zero
                continue
            }
            var wanted = points[x] + errors[x + 1] + ahead
            wanted.limit(from: color.isOpaque ? .smallestOpaque : .smallest)
            let index = search.index(of: color, at: wanted)
            indices[x] = UInt8(index)
            let error = wanted - search.points[index]
            let part = error * (parts[x] * Self.limit(of: error))
            ahead = part * 7
            below[x + 1 - step] += part * 3
            below[x + 1] += part * 5
            below[x + 1 + step] += part
        }
        swap(&errors, &below)
        (highest, above, points) = (above, points, highest.isEmpty ? points : highest)
        isLeftward.toggle()
    }

    /// Returns the part of `error` that is not too large to be handed on.
    @inline(__always)
    private static func limit(of error: ColorPoint) -> Float {
        let squared = error.squaredLength
        return squared <= largestError * largestError ? 1 : largestError / squared.squareRoot()
    }

    /// Sets `parts` for the row of `points`.
    private mutating func measureTexture() {
        let hasAbove = !highest.isEmpty
        for x in points.indices {
            var bend: Float = 0
            if x > 0, x + 1 < points.count { bend = (points[x - 1] + points[x + 1] - points[x] * 2).squaredLength }
            if hasAbove { bend = max(bend, (highest[x] + points[x] - above[x] * 2).squaredLength) }
            let smoothness = max(1 - bend.squareRoot() / Self.largestBend, Self.handedOnInTexture)
            parts[x] = smoothness * strength / 16
        }
    }
}

extension ColorPoint {
    /// Moves the point into the box from `smallest` to white.
    @inline(__always)
    fileprivate mutating func limit(from smallest: ColorPoint) {
        // Few points need it, and `clamp` is not inlined.
        guard any(self .< smallest .| self .> Self.largestOpaque) else { return }
        clamp(lowerBound: smallest, upperBound: .largestOpaque)
    }
}
