/// How a colour is put on a picture. The raw values are Core Graphics', as SDWebImage's, and stand in identifiers.
///
/// S and D are the colour and the picture's pixel, premultiplied; Sa and Da their alpha. Of the modes up to
/// `luminosity`, each replaces the pixel's colour by what its name says and then lies over the pixel.
public enum BlendMode: Int, Sendable, CaseIterable {
    /// The colour over the picture: S + D·(1 − Sa).
    case normal = 0
    /// The product; never lighter than either.
    case multiply
    /// The product of the inverted; never darker than either.
    case screen
    /// `multiply` where the picture is dark, `screen` where it is light.
    case overlay
    /// The darker of the two, for each channel.
    case darken
    /// The lighter of the two, for each channel.
    case lighten
    /// The picture brightened to reflect the colour.
    case colorDodge
    /// The picture darkened to reflect the colour.
    case colorBurn
    /// As a diffused spotlight of the colour.
    case softLight
    /// As a harsh spotlight of the colour.
    case hardLight
    /// The distance between the two.
    case difference
    /// As `difference`, with less contrast.
    case exclusion
    /// The hue of the colour, with saturation and luminosity of the picture.
    case hue
    /// The saturation of the colour, with hue and luminosity of the picture.
    case saturation
    /// Hue and saturation of the colour, with the luminosity of the picture.
    case color
    /// The luminosity of the colour, with hue and saturation of the picture.
    case luminosity
    /// Nothing is left.
    case clear
    /// The colour alone: S.
    case copy
    /// The colour where the picture is: S·Da.
    case sourceIn
    /// The colour where the picture is not: S·(1 − Da).
    case sourceOut
    /// The colour over the picture where that is: S·Da + D·(1 − Sa).
    case sourceAtop
    /// The colour behind the picture: D + S·(1 − Da).
    case destinationOver
    /// The picture, as opaque as the colour: D·Sa.
    case destinationIn
    /// The picture, as transparent as the colour is opaque: D·(1 − Sa).
    case destinationOut
    /// The colour behind the picture, which is as opaque as the colour: D·Sa + S·(1 − Da).
    case destinationAtop
    /// Each where the other is not: S·(1 − Da) + D·(1 − Sa).
    case xor
    /// The sum, less 1: max(0, S + D − 1).
    case plusDarker
    /// The sum, at most 1: min(1, S + D).
    case plusLighter
}
