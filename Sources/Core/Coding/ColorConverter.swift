#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Converts pixels of a file's own colour space to sRGB. A colour engine conforms; coders get it in their request.
public protocol ColorConverter: Sendable {
    /// A conversion of rows for `profile`, an ICC profile; `nil` when its colours are sRGB already, or it is broken.
    func makeRowConversion(profile: Data, model: ImageInfo.ColorModel) -> (any RowConversion)?
}

/// The conversion of rows under one profile. One task owns it.
public protocol RowConversion {
    /// Writes sRGB as RGBA8 to `output`, for a row of samples of the profile's model in `input`.
    mutating func convert(_ input: Span<UInt8>, to output: inout MutableSpan<UInt8>)
}
