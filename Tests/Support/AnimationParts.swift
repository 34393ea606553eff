/// The canvas of an animation and the patches that its file holds; `Tests/Fixtures/README.md` describes the bytes.
public struct AnimationParts {
    /// The pixels of one frame, where and how they go on the canvas.
    public struct Patch {
        /// The column and row of the top left corner, the columns and rows.
        public let left, top, width, height: Int
        /// Whether the pixels go over those of the canvas, or else replace them.
        public let goesOver: Bool
        /// What becomes of the canvas afterwards: 0 nothing, 1 the area is cleared, 2 what was there comes back.
        public let disposal: Int
        /// Seconds the frame is shown.
        public let duration: Double
        /// RGBA, row by row.
        public let pixels: [UInt8]
    }

    /// The columns and rows of the canvas.
    public let width, height: Int

    /// How often it plays; 0 for ever.
    public let loopCount: Int

    /// One for each frame.
    public let patches: [Patch]

    init(_ bytes: [UInt8]) {
        var offset = 0
        func number(of byteCount: Int = 4) -> Int {
            defer { offset += byteCount }
            return bytes[offset..<(offset + byteCount)].reduce(0) { $0 << 8 | Int($1) }
        }
        width = number()
        height = number()
        loopCount = number()
        patches = (0..<number()).map { _ in
            let (left, top, width, height) = (number(), number(), number(), number())
            let (goesOver, disposal, microseconds) = (number() == 1, number(), number(of: 8))
            let pixels = bytes[offset..<(offset + width * height * 4)]
            offset += pixels.count
            return Patch(
                left: left, top: top, width: width, height: height, goesOver: goesOver, disposal: disposal,
                duration: Double(microseconds) / 1_000_000, pixels: [UInt8](pixels))
        }
        precondition(offset == bytes.count, "the patches do not fill their file")
    }
}
