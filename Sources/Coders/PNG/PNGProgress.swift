import DarkroomCore

/// Says when a preview is worth its cost, so that all of them together cost no more than a part of decoding.
struct PNGProgress {
    private let isInterlaced: Bool
    private let step: Int
    private var reached = 0
    private var shown = 0

    /// The progress of a picture of `height` rows whose previews are of `shownSize`.
    init(height: Int, isInterlaced: Bool, shownSize: PixelSize) {
        self.isInterlaced = isInterlaced
        let isSmall = shownSize.width * shownSize.height <= Self.smallPixelCount
        step = isInterlaced ? 1 : max(1, height / (isSmall ? 16 : 4))
    }

    /// Previews of at most so many pixels cost next to nothing.
    private static let smallPixelCount = 1 << 20

    /// A row of a pass has come.
    mutating func reach(row: Int, pass: Int) { reached = isInterlaced ? pass : row + 1 }

    /// Whether to show what there is: a sixteenth of the rows or a pass more; a quarter of the rows of a large picture.
    mutating func takePreview() -> Bool {
        guard reached - shown >= step else { return false }
        shown = reached
        return true
    }
}
