/// A converter of pixels to sRGB, or another space for images that exceed it, implemented by a colour engine and set as the
/// converter of the registry.
///
/// Core converts grey and RGB images at their delivered size. Only a coder of CMYK images, or of images with more than 8
/// bits per channel, uses the converter itself, through its request.
public protocol ColorConverter: Sendable {
    /// Returns a conversion of the rows of an image with this header, by its profile or else its calibration; `nil` if
    /// it is sRGB.
    ///
    /// - Throws: An error if the profile is invalid or does not match `info.colorModel`. The image then counts as sRGB.
    func makeRowConversion(for info: ImageInfo) throws -> (any RowConversion)?

    /// Whether an image with this header may have colours beyond sRGB that the converter preserves in other spaces. It does
    /// not if its profile is invalid. The default is `false`.
    func hasWideColors(_ info: ImageInfo) -> Bool

    /// Returns a conversion of the rows of an image that has wide colours to `space`; `nil` if they are in it. The default
    /// converts to sRGB.
    func makeRowConversion(for info: ImageInfo, to space: OutputColorSpace) throws -> (any RowConversion)?
}

extension ColorConverter {
    /// Returns `false`.
    public func hasWideColors(_ info: ImageInfo) -> Bool { false }

    /// Returns the conversion to sRGB, the only one that is requested of an image without wide colours.
    public func makeRowConversion(for info: ImageInfo, to space: OutputColorSpace) throws -> (any RowConversion)? {
        try makeRowConversion(for: info)
    }
}

/// The conversion of the rows of one image. It must be used by one task at a time.
public protocol RowConversion {
    /// Converts pixels in place to sRGB, 4 bytes each.
    ///
    /// Grey and RGB are RGBA8 with straight alpha, grey in three equal channels; alpha is unchanged. CMYK has four
    /// channels in which 255 is full ink, and becomes opaque RGBA8.
    mutating func convert(_ pixels: inout MutableSpan<UInt8>)

    /// Converts grey or RGB pixels with 16 bits per channel to `pixels`, RGBA8 in sRGB with straight alpha.
    ///
    /// `deep` has four values for each pixel, grey in three equal ones. The default rounds to 8 bits first, which loses
    /// dark levels of colour spaces such as those that are proportional to light.
    mutating func convert(_ deep: Span<UInt16>, to pixels: inout MutableSpan<UInt8>)
}

extension RowConversion {
    /// Rounds to 8 bits, and converts the result.
    public mutating func convert(_ deep: Span<UInt16>, to pixels: inout MutableSpan<UInt8>) {
        for index in deep.indices { pixels[index] = UInt8((UInt32(deep[index]) * 255 + 32_895) >> 16) }
        convert(&pixels)
    }
}
