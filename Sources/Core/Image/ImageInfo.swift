#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What a file's header tells, before any pixel is decoded.
public struct ImageInfo: Hashable, Sendable, Codable {
    /// How colours are stored.
    public enum ColorModel: String, Hashable, Sendable, Codable {
        /// One channel of brightness.
        case gray
        /// Three channels, or what decodes to them, such as YCbCr.
        case rgb
        /// Indices into a table of colours.
        case indexed
        /// Four inks, such as CMYK or YCCK.
        case cmyk
    }

    /// The format of the file.
    public var format: ImageFormat

    /// The size as stored, before the orientation is applied.
    public var storedSize: PixelSize

    /// How the stored picture is turned upright.
    public var orientation: Orientation = .up

    /// Whether the pixel format has alpha; a property of the format, never of the content.
    public var hasAlpha = false

    /// Bits a channel, 1 to 16; of a palette's colours: 8.
    public var bitsPerChannel = 8

    /// How colours are stored.
    public var colorModel = ColorModel.rgb

    /// The embedded ICC profile.
    public var iccProfile: Data?

    /// What the file says of its RGB values where it has no profile; `nil` stands for sRGB.
    public var calibration: Calibration?

    /// The embedded Exif.
    public var exif: Exif?

    /// How many frames there are; 1 for a still.
    public var frameCount = 1

    /// How often an animation plays, 0 for ever; 0 for stills.
    public var loopCount = 0

    /// Seconds each frame is shown; empty for a still.
    public var frameDurations: [Double] = []

    /// Whether the picture has no size of its own, and may be asked for at a larger one.
    public var isScalable = false

    /// A still of `format`, stored with `storedSize`; set the rest afterwards.
    public init(format: ImageFormat, storedSize: PixelSize) {
        self.format = format
        self.storedSize = storedSize
    }

    /// The size seen upright.
    public var size: PixelSize { orientation.applied(to: storedSize) }
}
