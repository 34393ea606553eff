public import DarkroomPlatform

/// The information in the header of an image file, available before any pixel is decoded.
public struct ImageInfo: Hashable, Sendable, Codable {
    /// The colour model of the stored pixels.
    public enum ColorModel: String, Hashable, Sendable, Codable {
        /// One channel of brightness.
        case gray
        /// Three channels, including those that decode to RGB, such as YCbCr.
        case rgb
        /// Indices into a palette.
        case indexed
        /// Four inks, as in CMYK or YCCK.
        case cmyk
    }

    /// The format of the file.
    public var format: ImageFormat

    /// The stored size, before the orientation is applied.
    public var storedSize: PixelSize

    /// The orientation of the stored image.
    public var orientation: Orientation = .up

    /// Whether the pixel format has alpha, regardless of the actual pixels.
    public var hasAlpha = false

    /// The number of bits per channel, 1 to 16. For an indexed image, it is that of the palette's colours: 8.
    public var bitsPerChannel = 8

    /// The colour model of the stored pixels.
    public var colorModel = ColorModel.rgb

    /// The embedded ICC profile.
    public var iccProfile: Data?

    /// The colour space that a file without a profile declares for its RGB values; `nil` for sRGB.
    public var calibration: Calibration?

    /// The embedded Exif metadata.
    public var exif: Exif?

    /// The embedded XMP packet.
    public var xmp: XMP?

    /// The embedded IPTC metadata (IIM).
    public var iptc: Data?

    /// The comments in the file.
    public var comments: [String] = []

    /// The number of frames; 1 for a still.
    public var frameCount = 1

    /// The number of times an animation plays, 0 for ever; 0 for a still.
    public var loopCount = 0

    /// The duration of each frame; empty for a still.
    public var frameDurations: [Duration] = []

    /// Whether the image has no intrinsic size, like vector graphics, and may be requested at a larger one.
    public var isScalable = false

    /// Creates the information of a still of `format` with `storedSize`. The other properties have their defaults.
    public init(format: ImageFormat, storedSize: PixelSize) {
        self.format = format
        self.storedSize = storedSize
    }

    /// The upright size.
    public var size: PixelSize { orientation.applied(to: storedSize) }

    /// The header of a still that shows the first frame.
    var ofFirstFrame: ImageInfo {
        var info = self
        (info.frameCount, info.loopCount, info.frameDurations) = (1, 0, [])
        return info
    }
}
