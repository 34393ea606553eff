import DarkroomCore

/// The header of a frame.
struct GIFFrame {
    /// The file offset of its image descriptor.
    let offset: Int

    /// The stored position and size on the logical screen. It may extend beyond the screen and may be empty.
    let area: PixelRectangle

    /// The properties from the preceding graphic control extension.
    let control: GIFControl

    /// The number of its pixels, including those beyond the screen.
    var pixelCount: Int { area.width * area.height }

    /// Whether the frame covers a screen of `size` with opaque pixels only.
    func covers(_ size: PixelSize) -> Bool {
        area.clamped(to: size) == PixelRectangle(size) && control.transparentIndex == nil
    }

    /// Returns the patch that the frame contributes to a screen of `size`.
    func patch(on size: PixelSize) -> FramePatch {
        let hasAlpha = control.transparentIndex != nil
        return FramePatch(
            area: area.clamped(to: size), blending: hasAlpha ? .over : .replace, disposal: control.disposal,
            hasAlpha: hasAlpha, duration: control.duration)
    }
}

/// The contents of a graphic control extension, which applies to the next frame.
struct GIFControl {
    /// The disposal of the frame.
    private(set) var disposal = FramePatch.Disposal.keep

    /// The index of transparent pixels.
    private(set) var transparentIndex: UInt8?

    /// In hundredths of a second.
    private var delay = 0

    /// How long it is shown. Like all browsers, it replaces delays of less than 2/100 s with 0.1 s.
    var duration: Duration { .milliseconds(10 * (delay < 2 ? 10 : Int(delay))) }

    /// Creates the defaults of a frame without an extension.
    init() {}

    /// Parses the data block of the extension. Returns `nil` if it is too short.
    init?(_ block: Span<UInt8>) {
        guard block.count >= 4 else { return nil }
        disposal =
            switch block[0] >> 2 & 7 {
            case 2: .clear
            // Like browsers, treats 4 as 3, because some encoders confused bit and number.
            case 3, 4: .restore
            default: .keep
            }
        delay = Int(block[1]) | Int(block[2]) << 8
        transparentIndex = block[0] & 1 == 1 ? block[3] : nil
    }
}
