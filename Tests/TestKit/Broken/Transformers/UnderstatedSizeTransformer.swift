import DarkroomCore

/// A transformer that declares a largest size below that of its results.
struct UnderstatedSizeTransformer: InvertingTransformer {
    func largestSize(for _: PixelSize) -> PixelSize { PixelSize(1, 1) }
}
