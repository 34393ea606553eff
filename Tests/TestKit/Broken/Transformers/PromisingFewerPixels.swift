import DarkroomCore

/// It says that it makes less than it does.
struct PromisingFewerPixels: NearlySoundTransformer {
    func largestSize(for _: PixelSize) -> PixelSize { PixelSize(1, 1) }
}
