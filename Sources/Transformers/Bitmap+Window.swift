import DarkroomCore

extension Bitmap {
    /// Returns a bitmap whose pixels `draw` writes in memory order, one word each. With `isCovered`, it must write all of
    /// them; otherwise they are initially zero.
    static func drawn(
        _ size: PixelSize, hasAlpha: Bool, isCovered: Bool = false, for request: TransformRequest,
        _ draw: (UnsafeMutableBufferPointer<UInt32>) throws -> Void
    ) throws -> Bitmap {
        let storage = try PixelStorage(size, limits: request.context.limits, isUninitialized: isCovered)
        try unsafe draw(UnsafeMutableRawBufferPointer(storage.bytes).bindMemory(to: UInt32.self))
        return Bitmap(size, hasAlpha: hasAlpha, adopting: storage)
    }

    /// Returns the part of the image in the window at `area`. Outside the image, the window has the colour
    /// `background`, or is transparent.
    func window(
        _ area: PixelRectangle, background: Color? = nil, for request: TransformRequest
    ) throws -> Bitmap {
        guard area != PixelRectangle(size) else { return self }
        let visible = area.clamped(to: size)
        let isOpaque = !hasAlpha && (visible == area || background?.alpha == 255)
        let isCovered = visible == area || background != nil
        return try unsafe Self.drawn(area.size, hasAlpha: !isOpaque, isCovered: isCovered, for: request) { target in
            if visible != area, let background { unsafe target.update(repeating: background.word) }
            for y in visible.y..<(visible.y + visible.height) where visible.width > 0 {
                try request.checkCancellation()
                let start = (y - area.y) * area.width + visible.x - area.x
                unsafe withWords { source in
                    let row = unsafe source[(y * size.width + visible.x)...].prefix(visible.width)
                    _ = unsafe target[start..<(start + visible.width)].update(fromContentsOf: row)
                }
            }
        }
    }

    /// Returns the window of `canvas` pixels in which the image is positioned by `gravity`. If the free space is odd,
    /// the smaller half comes first.
    func window(of canvas: PixelSize, at gravity: Gravity) -> PixelRectangle {
        PixelRectangle(
            x: (size.width - canvas.width) * gravity.leftHalves / 2,
            y: (size.height - canvas.height) * gravity.topHalves / 2, width: canvas.width, height: canvas.height)
    }
}

extension Color {
    /// The colour as a pixel in memory order.
    var word: UInt32 {
        UInt32(littleEndian: UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16 | UInt32(alpha) << 24)
    }
}
