/// The position of an image along one axis of a canvas. It may start between two pixels, and extend beyond the canvas.
struct AxisPlacement {
    /// The canvas coordinates at which the image starts and ends, in pixels.
    let start, end: Double

    /// The number of image pixels for each canvas pixel.
    let step: Double

    /// The canvas pixels that show any part of the image.
    let pixels: Range<Int>

    /// The image pixels of which any part is visible.
    let visibleSource: Range<Int>

    /// Scales `source` pixels to `length` on a `canvas`, with `halvesBefore` halves of the free space before the image.
    init(source: Int, length: Double, canvas: Int, halvesBefore: Int) {
        // An image thinner than a pixel would vanish.
        let length = max(1, length)
        let start = ((Double(canvas) - length) * Double(halvesBefore) / 2).snapped
        let end = (start + length).snapped
        let step = Double(source) / (end - start)
        let (first, last) = (max(0, start), min(Double(canvas), end))
        let visibleStart = min(source - 1, Int(((first - start) * step).snapped.rounded(.down)))
        let visibleEnd = min(source, Int(((last - start) * step).snapped.rounded(.up)))
        self.start = start
        self.end = end
        self.step = step
        pixels = Int(first.rounded(.down))..<Int(last.rounded(.up))
        visibleSource = visibleStart..<max(visibleStart + 1, visibleEnd)
    }

    /// Whether the canvas pixels show whole image pixels only.
    var isPixelAligned: Bool {
        ((Double(pixels.lowerBound) - start) * step).snapped == Double(visibleSource.lowerBound)
            && ((Double(pixels.upperBound) - start) * step).snapped == Double(visibleSource.upperBound)
    }

    /// Returns the fraction of a canvas pixel that the image covers, 0 to 1.
    func coverage(of pixel: Int) -> Double { min(Double(pixel + 1), end) - max(Double(pixel), start) }

    /// Returns the image coordinate of the centre of the visible part of a canvas pixel.
    func center(of pixel: Int) -> Double {
        ((min(Double(pixel + 1), end) + max(Double(pixel), start)) / 2 - start) * step
    }
}

extension Double {
    /// The number, rounded if it differs from an integer only by rounding errors.
    fileprivate var snapped: Double { (self - rounded()).magnitude < 1e-6 ? rounded() : self }
}
