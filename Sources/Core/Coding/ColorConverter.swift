/// Converts pixels of a file's own colour space to sRGB. A colour engine conforms, and is set as the registry's converter.
///
/// Core asks it for pictures of grey and RGB, at the size they are delivered at; coders need not care. Only a coder of
/// pictures in inks asks it itself, through its request.
public protocol ColorConverter: Sendable {
    /// A conversion of rows of a picture with this header, by its profile or else its calibration; `nil` when it is sRGB.
    ///
    /// Throws when the profile is broken, or not one of `info.colorModel`: then the picture counts as sRGB.
    func makeRowConversion(for info: ImageInfo) throws -> (any RowConversion)?
}

/// The conversion of the rows of one picture. One task owns it.
public protocol RowConversion {
    /// Converts pixels in place to sRGB, 4 bytes each.
    ///
    /// Grey and RGB come as RGBA8 with straight alpha, grey in three equal channels; alpha stays as it is.
    /// CMYK comes as four inks of which 255 is the most, and becomes opaque RGBA8.
    mutating func convert(_ pixels: inout MutableSpan<UInt8>)
}
