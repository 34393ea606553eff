import DarkroomCore

/// Decides when a preview is worth its cost, so that all previews together take only a fraction of the decoding time.
struct PNGProgress {
    private let isInterlaced: Bool
    private let step: Int
    private var reached = 0
    private var shown = 0

    /// Creates the progress of an image of `height` rows with previews of `shownSize`.
    init(height: Int, isInterlaced: Bool, shownSize: PixelSize) {
        self.isInterlaced = isInterlaced
        let isSmall = shownSize.width * shownSize.height <= Self.smallPixelCount
        step = isInterlaced ? 1 : max(1, height / (isSmall ? 16 : 4))
    }

    /// The pixel count up to which a preview costs next to nothing.
    private static let smallPixelCount = 1 << 20

    /// Records that a row of a pass has arrived.
    mutating func reach(row: Int, pass: Int) { reached = isInterlaced ? pass : row + 1 }

    /// Returns whether to show a preview: after another sixteenth of the rows or another pass, or a quarter of the rows
    /// of a large image.
    mutating func takePreview() -> Bool {
        guard reached - shown >= step else { return false }
        shown = reached
        return true
    }
}
