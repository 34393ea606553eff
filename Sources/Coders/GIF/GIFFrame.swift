import DarkroomCore

/// The header of a frame.
struct GIFFrame {
    /// The byte of the file at which its descriptor begins.
    let offset: Int

    /// Where it lies on the logical screen, as stored: parts of it may lie beyond, and it may have no pixel.
    let area: PixelRectangle

    /// What was said of it before its descriptor.
    let control: GIFControl

    /// Whether nothing on a screen of `size` is seen through it or beside it.
    func hides(_ size: PixelSize) -> Bool {
        area.cut(to: size) == PixelRectangle(size) && control.transparentIndex == nil
    }

    /// How it goes on a screen of `size`.
    func patch(on size: PixelSize) -> FramePatch {
        let hasAlpha = control.transparentIndex != nil
        return FramePatch(
            area: area.cut(to: size), blending: hasAlpha ? .over : .replace, disposal: control.disposal,
            hasAlpha: hasAlpha, duration: control.duration)
    }
}

/// What a graphic control extension says of the frame behind it.
struct GIFControl {
    /// What becomes of the screen after the frame.
    private(set) var disposal = FramePatch.Disposal.keep

    /// The index that leaves the screen as it is.
    private(set) var transparentIndex: UInt8?

    /// In hundredths of a second.
    private var delay = 0

    /// Seconds the frame is shown. The rule of all browsers: nobody means it to be a hundredth of a second.
    var duration: Double { delay < 2 ? 0.1 : Double(delay) / 100 }

    /// What a frame without an extension gets.
    init() {}

    /// Reads the extension's block; one that is too short says nothing.
    init?(_ block: Span<UInt8>) {
        guard block.count >= 4 else { return nil }
        disposal =
            switch block[0] >> 2 & 7 {
            case 2: .clear
            // Browsers take 4 for 3: there were encoders that confused bit and number.
            case 3, 4: .restore
            default: .keep
            }
        delay = Int(block[1]) | Int(block[2]) << 8
        transparentIndex = block[0] & 1 == 1 ? block[3] : nil
    }
}
