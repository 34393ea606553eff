import DarkroomCore
import DarkroomPlatform
import DarkroomQuantizing

/// The colours of a picture that has more of them than its palette may have.
struct PNGReduction {
    private let histogram: ColorHistogram
    private let hasAlpha: Bool
    private let request: EncodeRequest

    /// Counts the colours of all frames. Returns `nil` unless `context.pngColorCount` asks for fewer.
    init?(_ request: EncodeRequest) throws {
        guard let colorCount = request.context.pngColorCount else { return nil }
        var (table, isReduced) = (ColorTable(capacity: colorCount), false)
        var (histogram, hasAlpha) = (ColorHistogram(), false)
        try request.forEachEncodedFrame { frame in
            let bitmap = frame.bitmap
            hasAlpha = hasAlpha || bitmap.hasAlpha
            var row: [PackedColor] = []
            for y in 0..<bitmap.size.height {
                try request.checkCancellation()
                bitmap.read(PixelRectangle(x: 0, y: y, width: bitmap.size.width, height: 1), into: &row)
                histogram.insert(row)
                if !isReduced { isReduced = !row.allSatisfy { table.insert($0) } }
            }
        }
        guard isReduced else { return nil }
        self.histogram = histogram
        self.hasAlpha = hasAlpha
        self.request = request
    }

    /// The numbers of colours to try, the best one first.
    var colorCounts: [Int] { SizeSearch.colorCounts(from: request.context.pngColorCount ?? 2) }

    /// Returns the frames with `colorCount` colours. Those of an animation have one palette.
    func frames(colorCount: Int) throws -> PNGReducedFrames {
        let colors = try PaletteReduction.colors(
            for: histogram, count: colorCount, checkCancellation: request.checkCancellation)
        return PNGReducedFrames(
            palette: PNGPalette(colors, hasAlpha: hasAlpha), dithering: request.context.pngDithering,
            checkCancellation: request.checkCancellation)
    }
}

/// The frames of a picture in the order of their time, with the colours of one palette.
struct PNGReducedFrames {
    /// The palette of all frames.
    let palette: PNGPalette

    private let dithering: Double
    private let checkCancellation: () throws -> Void
    private var last: Bitmap?
    /// The index of each pixel of the last frame.
    private var indices: [UInt8] = []

    fileprivate init(palette: PNGPalette, dithering: Double, checkCancellation: @escaping () throws -> Void) {
        self.palette = palette
        self.dithering = dithering
        self.checkCancellation = checkCancellation
    }

    /// Calls `write` with the indices of each row of `area` of the next frame, outside of which it equals the last one.
    ///
    /// Pixels that did not change keep their index, so that dithering does not flicker.
    mutating func forEachRow(of bitmap: Bitmap, in area: PixelRectangle, _ write: ([UInt8]) throws -> Void) throws {
        let width = bitmap.size.width
        if last == nil { indices = Array(repeating: 0, count: width * bitmap.size.height) }
        var matcher = PaletteMatcher(palette.colors, dithering: dithering, width: area.width)
        var (row, before): ([PackedColor], [PackedColor]) = ([], [])
        for y in area.y..<(area.y + area.height) {
            try checkCancellation()
            let part = PixelRectangle(x: area.x, y: y, width: area.width, height: 1)
            bitmap.read(part, into: &row)
            last?.read(part, into: &before)
            let range = (y * width + area.x)..<(y * width + area.x + area.width)
            var rowIndices = Array(indices[range])
            matcher.lookUp(row, previous: last == nil ? nil : before, into: &rowIndices)
            indices.replaceSubrange(range, with: rowIndices)
            try write(rowIndices)
        }
        last = bitmap
    }
}

extension Bitmap {
    /// Replaces `row` with the pixels of `area`, which has one row.
    fileprivate func read(_ area: PixelRectangle, into row: inout [PackedColor]) {
        let start = area.y * size.width + area.x
        row.removeAll(keepingCapacity: true)
        unsafe withWords { words in
            for index in start..<(start + area.width) {
                unsafe row.append(PackedColor(bits: UInt32(littleEndian: words[index])))
            }
        }
    }
}
