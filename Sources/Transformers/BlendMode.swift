/// The way in which a colour is blended with an image.
///
/// The raw values are those of Core Graphics and SDWebImage, and are part of identifiers. S and D are the colour and
/// the image's pixel, premultiplied; Sa and Da their alpha. Each mode up to ``luminosity`` replaces the pixel's colour
/// as its name says, and composites the result over the pixel.
public enum BlendMode: Int, Sendable, CaseIterable {
    /// The colour over the image: S + D·(1 − Sa).
    case normal = 0
    /// The product; never lighter than either.
    case multiply
    /// The product of the inverted values; never darker than either.
    case screen
    /// `multiply` where the image is dark, `screen` where it is light.
    case overlay
    /// The darker of the two, for each channel.
    case darken
    /// The lighter of the two, for each channel.
    case lighten
    /// The image brightened to reflect the colour.
    case colorDodge
    /// The image darkened to reflect the colour.
    case colorBurn
    /// A diffused spotlight in the colour.
    case softLight
    /// A harsh spotlight in the colour.
    case hardLight
    /// The absolute difference of the two.
    case difference
    /// Like `difference`, with less contrast.
    case exclusion
    /// The hue of the colour, with the saturation and luminosity of the image.
    case hue
    /// The saturation of the colour, with the hue and luminosity of the image.
    case saturation
    /// The hue and saturation of the colour, with the luminosity of the image.
    case color
    /// The luminosity of the colour, with the hue and saturation of the image.
    case luminosity
    /// Transparent black.
    case clear
    /// The colour alone: S.
    case copy
    /// The colour where the image is opaque: S·Da.
    case sourceIn
    /// The colour where the image is transparent: S·(1 − Da).
    case sourceOut
    /// The colour over the image, where the image is opaque: S·Da + D·(1 − Sa).
    case sourceAtop
    /// The colour behind the image: D + S·(1 − Da).
    case destinationOver
    /// The image where the colour is opaque: D·Sa.
    case destinationIn
    /// The image where the colour is transparent: D·(1 − Sa).
    case destinationOut
    /// The colour behind the image, where the colour is opaque: D·Sa + S·(1 − Da).
    case destinationAtop
    /// Each where the other is transparent: S·(1 − Da) + D·(1 − Sa).
    case xor
    /// The sum minus 1, at least 0: max(0, S + D − 1).
    case plusDarker
    /// The sum, at most 1: min(1, S + D).
    case plusLighter
}
