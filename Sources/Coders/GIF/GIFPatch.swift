import DarkroomCore
import DarkroomQuantizing

/// The pixels that one frame of a GIF draws: a part of an image, without the pixels that are already on the screen.
struct GIFPatch {
    /// The area on the screen.
    let area: PixelRectangle

    /// Called once per row.
    let checkCancellation: () throws -> Void

    private let bitmap: Bitmap
    private let screen: Bitmap?

    /// Creates a patch with the pixels of `bitmap` in `area`. Pixels equal to those on `screen`, if given, become
    /// transparent.
    init(of bitmap: Bitmap, in area: PixelRectangle, on screen: Bitmap?, checkCancellation: @escaping () throws -> Void)
    {
        self.bitmap = bitmap
        self.area = area
        self.screen = screen
        self.checkCancellation = checkCancellation
    }

    /// All pixels of the area, unchanged ones included.
    var whole: GIFPatch { GIFPatch(of: bitmap, in: area, on: nil, checkCancellation: checkCancellation) }

    /// Calls `body` with each row from the top until it returns false.
    func forEachRow(_ body: ([PackedColor]) throws -> Bool) throws {
        var row = [PackedColor](repeating: .transparent, count: area.width)
        for y in 0..<area.height {
            try checkCancellation()
            read(y, into: &row)
            guard try body(row) else { return }
        }
    }

    /// Whether any pixel is transparent.
    func hasTransparentPixel() throws -> Bool {
        var found = false
        try forEachRow { row in
            found = row.contains(.transparent)
            return !found
        }
        return found
    }

    private func read(_ y: Int, into row: inout [PackedColor]) {
        let start = (area.y + y) * bitmap.size.width + area.x
        unsafe bitmap.withWords { words in
            for x in row.indices { row[x] = unsafe PackedColor(gifPixel: words[start + x]) }
        }
        unsafe screen?.withWords { words in
            for x in row.indices where unsafe PackedColor(gifPixel: words[start + x]) == row[x] {
                row[x] = .transparent
            }
        }
    }
}
