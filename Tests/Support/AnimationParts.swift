/// The canvas of an animation and the patches in its file; `Tests/Fixtures/README.md` describes the format.
public struct AnimationParts {
    /// The pixels of one frame, with their position and composition on the canvas.
    public struct Patch {
        /// The column and row of the top left corner, and the numbers of columns and rows.
        public let left, top, width, height: Int
        /// Whether the pixels are blended over the canvas; otherwise they replace its pixels.
        public let isBlended: Bool
        /// The disposal of the canvas afterwards: 0 keeps it, 1 clears the area, 2 restores the previous contents.
        public let disposal: Int
        /// The duration of the frame.
        public let duration: Duration
        /// RGBA, row by row.
        public let pixels: [UInt8]
    }

    /// The numbers of columns and rows of the canvas.
    public let width, height: Int

    /// The loop count; 0 for ever.
    public let loopCount: Int

    /// One patch for each frame.
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
            let (isBlended, disposal, microseconds) = (number() == 1, number(), number(of: 8))
            let pixels = bytes[offset..<(offset + width * height * 4)]
            offset += pixels.count
            return Patch(
                left: left, top: top, width: width, height: height, isBlended: isBlended, disposal: disposal,
                duration: .microseconds(microseconds), pixels: [UInt8](pixels))
        }
        precondition(offset == bytes.count, "the patches do not fill their file")
    }
}
