import DarkroomCore
import DarkroomQuantizing

/// The encoding of one frame of an animation such that the next frame can be drawn on top of it.
struct GIFFrameUpdate {
    /// The pixels that the frame draws.
    let patch: GIFPatch

    /// Whether the area of the frame is cleared to transparent afterwards.
    let clears: Bool

    /// The screen that the next frame is drawn on.
    let screen: Bitmap

    /// Creates the update that shows `bitmap` on `screen`, where `nil` is an empty screen. If pixels become transparent
    /// in `next`, the area includes them and is cleared.
    init(
        _ bitmap: Bitmap, on screen: Bitmap?, before next: Bitmap?, checkCancellation: @escaping () throws -> Void
    ) throws {
        let changed = screen.map { $0.difference(to: bitmap) } ?? PixelRectangle(bitmap.size)
        let disappearing = try next.flatMap { try bitmap.disappearing(in: $0, checkCancellation: checkCancellation) }
        let areas = [changed, disappearing].compactMap(\.self)
        // A frame must have at least one pixel; repeating an unchanged one has no effect.
        let pixel = PixelRectangle(x: 0, y: 0, width: 1, height: 1)
        let area = areas.dropFirst().reduce(areas.first ?? pixel) { $0.union($1) }
        patch = GIFPatch(of: bitmap, in: area, on: screen, checkCancellation: checkCancellation)
        clears = disappearing != nil
        self.screen = clears ? bitmap.cleared(area) : bitmap
    }
}

extension Bitmap {
    /// Returns the smallest rectangle that contains all opaque pixels that are transparent in `next`, or `nil` if there
    /// are none.
    fileprivate func disappearing(
        in next: Bitmap, checkCancellation: () throws -> Void
    ) throws -> PixelRectangle? {
        guard next.hasAlpha else { return nil }
        var (left, right, top, bottom) = (Int.max, -1, Int.max, -1)
        for y in 0..<size.height {
            try checkCancellation()
            unsafe withWords { words in
                unsafe next.withWords { nextWords in
                    for x in 0..<size.width {
                        let index = y * size.width + x
                        guard unsafe PackedColor(gifPixel: nextWords[index]) == .transparent,
                            unsafe PackedColor(gifPixel: words[index]) != .transparent
                        else { continue }
                        (left, right, top, bottom) = (min(left, x), max(right, x), min(top, y), y)
                    }
                }
            }
        }
        return bottom < 0 ? nil : PixelRectangle(x: left, y: top, width: right - left + 1, height: bottom - top + 1)
    }

    /// Returns a copy with `area` cleared to transparent.
    fileprivate func cleared(_ area: PixelRectangle) -> Bitmap {
        unsafe moved(to: size) { from, to in
            _ = unsafe to.update(fromContentsOf: from)
            for y in area.y..<(area.y + area.height) {
                let start = y * size.width + area.x
                for x in start..<(start + area.width) { unsafe to[x] = 0 }
            }
        }
    }
}
