import DarkroomCore

/// Decides when a preview is worth its cost, so that all previews together take only a fraction of the decoding time.
struct PNGProgress {
    /// The steps of rows; `nil` if the image is interlaced.
    private var steps: PreviewSteps?
    private var reached = 0
    private var shown = 0

    /// Creates the progress of an image of `height` rows with previews of `shownSize`.
    init(height: Int, isInterlaced: Bool, shownSize: PixelSize) {
        steps = isInterlaced ? nil : PreviewSteps(rowCount: height, shownSize: shownSize)
    }

    /// Whether any row has arrived.
    private(set) var hasRows = false

    /// Records that a row of a pass has arrived.
    mutating func reach(row: Int, pass: Int) {
        hasRows = true
        reached = steps == nil ? pass : row + 1
    }

    /// Returns whether to show a preview: after another step of rows, or another pass.
    mutating func takePreview() -> Bool {
        if steps != nil { return steps?.take(rowCount: reached) == true }
        guard reached > shown else { return false }
        shown = reached
        return true
    }
}
