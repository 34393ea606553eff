import CTIFF
import DarkroomCore

/// The properties of one page.
struct TIFFPage: Sendable {
    /// The meaning of the samples of a pixel.
    enum Colors: Hashable, Sendable {
        case gray(isInverted: Bool)
        case rgb
        case palette([SIMD4<UInt8>])
        case inks
        /// L*a*b*, whose second and third samples are signed, or else have an offset.
        case lab(isSigned: Bool)
        /// Subsampled YCbCr, which libtiff converts to RGB.
        case converted
    }

    /// The offset of its directory.
    let offset: UInt64

    let size: PixelSize
    let orientation: Orientation
    let colors: Colors
    let bitsPerSample: Int

    /// The number of samples of a pixel in one plane.
    let samplesPerPixel: Int

    /// The number of planes, each of which has one sample of all pixels; 1 if pixels are stored whole.
    let planeCount: Int

    /// The index of the sample that is alpha; `nil` if there is none.
    let alphaIndex: Int?

    /// Whether colours are multiplied by alpha.
    let isPremultiplied: Bool

    /// The size of a tile, or of a strip, which is as wide as the page.
    let block: PixelSize

    let isTiled: Bool

    /// The number of tiles or strips of all planes.
    let blockCount: Int

    /// Whether the pixels are compressed as a JPEG in YCbCr, which libtiff then converts to RGB.
    let isJPEGInYCbCr: Bool

    /// Whether the page is a preview or a mask of another one.
    let isAuxiliary: Bool

    /// Reads the current directory of `file`, which lies at `offset`.
    init(_ file: TIFFHandle, at offset: UInt64) throws(ImageError) {
        let layout = try TIFFLayout(file)
        self.offset = offset
        (size, block, isTiled, blockCount) = (layout.size, layout.block, layout.isTiled, layout.blockCount)
        orientation = Orientation(tag: file.short(TIFFTAG_ORIENTATION) ?? 1)
        (colors, bitsPerSample, isJPEGInYCbCr) = (layout.colors, layout.bitsPerSample, layout.isJPEGInYCbCr)
        (samplesPerPixel, planeCount) = layout.isPlanar ? (1, layout.sampleCount) : (layout.sampleCount, 1)
        (alphaIndex, isPremultiplied) = layout.alpha
        isAuxiliary = (file.long(TIFFTAG_SUBFILETYPE) ?? 0) & Int(FILETYPE_REDUCEDIMAGE | FILETYPE_MASK) != 0
    }

    /// The number of samples that are colours.
    var colorCount: Int { colors.count }

    /// The indices of the samples that are read: those of colours, then that of alpha.
    var usedSamples: [Int] { Array(0..<colorCount) + (alphaIndex.map { [$0] } ?? []) }

    /// Whether the pixels become sRGB without a profile, which then does not apply to them.
    var becomesSRGB: Bool {
        switch colors {
        case .lab, .converted: true
        case .gray, .rgb, .palette, .inks: false
        }
    }

    /// The colour model of the header.
    var colorModel: ImageInfo.ColorModel {
        switch colors {
        case .gray: .gray
        case .palette: .indexed
        case .inks: .cmyk
        case .rgb, .lab, .converted: .rgb
        }
    }
}

extension TIFFPage.Colors {
    /// The number of samples.
    var count: Int {
        switch self {
        case .gray, .palette: 1
        case .rgb, .lab, .converted: 3
        case .inks: 4
        }
    }
}
