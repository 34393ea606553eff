/// Where a picture lies along one axis of a canvas: it may begin between two pixels, and hang over.
struct AxisPlacement {
    /// Where on the canvas the picture begins and ends, in pixels.
    let start, end: Double

    /// How many pixels of the picture a canvas pixel shows.
    let step: Double

    /// The canvas pixels on which any of the picture is seen.
    let pixels: Range<Int>

    /// The pixels of the picture of which any part is seen.
    let seen: Range<Int>

    /// `source` pixels made `length` long on a `canvas` whose free room lies before them by so many halves.
    init(source: Int, length: Double, canvas: Int, halvesBefore: Int) {
        // Thinner than a pixel, it would vanish.
        let length = max(1, length)
        let start = ((Double(canvas) - length) * Double(halvesBefore) / 2).snapped
        let end = (start + length).snapped
        let step = Double(source) / (end - start)
        let (first, last) = (max(0, start), min(Double(canvas), end))
        let seenFirst = min(source - 1, Int(((first - start) * step).snapped.rounded(.down)))
        let seenLast = min(source, Int(((last - start) * step).snapped.rounded(.up)))
        self.start = start
        self.end = end
        self.step = step
        pixels = Int(first.rounded(.down))..<Int(last.rounded(.up))
        seen = seenFirst..<max(seenFirst + 1, seenLast)
    }

    /// Whether the canvas pixels show whole pixels of the picture, and nothing but them.
    var isWhole: Bool {
        ((Double(pixels.lowerBound) - start) * step).snapped == Double(seen.lowerBound)
            && ((Double(pixels.upperBound) - start) * step).snapped == Double(seen.upperBound)
    }

    /// How much of a canvas pixel the picture covers, 0 to 1.
    func coverage(of pixel: Int) -> Double { min(Double(pixel + 1), end) - max(Double(pixel), start) }

    /// Where in the picture the middle of what is seen in a canvas pixel lies.
    func center(of pixel: Int) -> Double {
        ((min(Double(pixel + 1), end) + max(Double(pixel), start)) / 2 - start) * step
    }
}

extension Double {
    /// The number, or the whole one that it would be but for rounding errors.
    fileprivate var snapped: Double { (self - rounded()).magnitude < 1e-6 ? rounded() : self }
}
