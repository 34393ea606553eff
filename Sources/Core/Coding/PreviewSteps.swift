/// Decides which rows of an image that grows from the top are worth a preview.
///
/// There are at most 16 previews, and fewer of a large image, because each one costs a copy and a conversion.
package struct PreviewSteps {
    private let step: Int
    private let firstRowCount: Int
    private var shownRowCount = 0

    /// Creates the steps of an image that arrives in `rowCount` rows and has previews of `shownSize`. The first preview
    /// has at least `firstRowCount` rows, or as many as any other if that is `nil`.
    package init(rowCount: Int, shownSize: PixelSize, firstRowCount: Int? = nil) {
        let count =
            switch shownSize.width.multiplied(by: shownSize.height) {
            case ...(1 << 20): 16
            case ...(16 << 20): 8
            default: 5
            }
        step = max(1, rowCount / count)
        self.firstRowCount = firstRowCount ?? step
    }

    /// Returns whether to show a preview of the first `rowCount` rows, which then counts as shown.
    package mutating func take(rowCount: Int) -> Bool {
        guard rowCount - shownRowCount >= (shownRowCount == 0 ? firstRowCount : step) else { return false }
        shownRowCount = rowCount
        return true
    }
}
