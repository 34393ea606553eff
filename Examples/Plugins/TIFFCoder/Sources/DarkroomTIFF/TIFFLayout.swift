import CTIFF
import DarkroomCore

/// The fields of a directory that describe the pixels, checked to be supported.
struct TIFFLayout {
    /// Compressions that are decoded. libtiff knows more, which are rare, and whose code is tested less.
    private static let compressions = [
        COMPRESSION_NONE, COMPRESSION_CCITTRLE, COMPRESSION_CCITTFAX3, COMPRESSION_CCITTFAX4, COMPRESSION_CCITTRLEW,
        COMPRESSION_LZW, COMPRESSION_JPEG, COMPRESSION_ADOBE_DEFLATE, COMPRESSION_DEFLATE, COMPRESSION_PACKBITS,
    ].map { Int($0) }

    let size: PixelSize
    let block: PixelSize
    let isTiled: Bool
    let blockCount: Int
    let bitsPerSample: Int
    let sampleCount: Int
    let isPlanar: Bool
    let isJPEGInYCbCr: Bool
    let colors: TIFFPage.Colors
    let alpha: (index: Int?, isPremultiplied: Bool)

    /// Reads the current directory of `file`.
    init(_ file: TIFFHandle) throws(ImageError) {
        size = PixelSize(file.long(TIFFTAG_IMAGEWIDTH) ?? 0, file.long(TIFFTAG_IMAGELENGTH) ?? 0)
        guard size.width > 0, size.height > 0, size.width < Int32.max, size.height < Int32.max else {
            throw ImageError(.corrupt, .decode, "the TIFF declares a size of \(size) pixels")
        }
        let compression = file.short(TIFFTAG_COMPRESSION) ?? 1
        guard Self.compressions.contains(compression), TIFFIsCODECConfigured(UInt16(compression)) == 1 else {
            throw .unsupportedTIFF("compression \(compression)")
        }
        bitsPerSample = file.short(TIFFTAG_BITSPERSAMPLE) ?? 1
        sampleCount = file.short(TIFFTAG_SAMPLESPERPIXEL) ?? 1
        try Self.checkSamples(file, bitsPerSample)
        isPlanar = sampleCount > 1 && file.short(TIFFTAG_PLANARCONFIG) == Int(PLANARCONFIG_SEPARATE)
        isTiled = unsafe TIFFIsTiled(file.tiff) != 0
        block = Self.block(file, isTiled: isTiled, size)
        guard block.width > 0, block.height > 0 else {
            throw ImageError(.corrupt, .decode, "the TIFF declares blocks of \(block) pixels")
        }
        blockCount = Int(unsafe isTiled ? TIFFNumberOfTiles(file.tiff) : TIFFNumberOfStrips(file.tiff))
        let isJPEG = compression == Int(COMPRESSION_JPEG)
        let photometric = file.photometric(sampleCount: sampleCount)
        isJPEGInYCbCr = isJPEG && photometric == Int(PHOTOMETRIC_YCBCR)
        colors = try Self.colors(file, photometric, bitsPerSample, isJPEG: isJPEG)
        guard sampleCount >= colors.count, !isJPEGInYCbCr || sampleCount == 3 && !isPlanar else {
            throw ImageError(
                .corrupt, .decode, "the TIFF has \(sampleCount) samples per pixel, too few for its colours")
        }
        alpha = colors == .converted ? (nil, false) : file.alpha(sampleCount: sampleCount, colorCount: colors.count)
    }

    private static func checkSamples(_ file: TIFFHandle, _ bitsPerSample: Int) throws(ImageError) {
        switch CInt(file.short(TIFFTAG_SAMPLEFORMAT) ?? 1) {
        case SAMPLEFORMAT_UINT, SAMPLEFORMAT_VOID: break
        case SAMPLEFORMAT_INT: throw .unsupportedTIFF("signed samples")
        case SAMPLEFORMAT_IEEEFP: throw .unsupportedTIFF("samples in floating point")
        default: throw .unsupportedTIFF("complex samples")
        }
        guard 1...16 ~= bitsPerSample else { throw .unsupportedTIFF("samples of \(bitsPerSample) bits") }
    }

    private static func block(_ file: TIFFHandle, isTiled: Bool, _ size: PixelSize) -> PixelSize {
        guard !isTiled else { return PixelSize(file.long(TIFFTAG_TILEWIDTH) ?? 0, file.long(TIFFTAG_TILELENGTH) ?? 0) }
        return PixelSize(size.width, min(file.long(TIFFTAG_ROWSPERSTRIP) ?? size.height, size.height))
    }

    private static func colors(
        _ file: TIFFHandle, _ photometric: Int, _ bitsPerSample: Int, isJPEG: Bool
    ) throws(ImageError) -> TIFFPage.Colors {
        switch CInt(photometric) {
        case PHOTOMETRIC_MINISWHITE: return .gray(isInverted: true)
        case PHOTOMETRIC_MINISBLACK, PHOTOMETRIC_MASK: return .gray(isInverted: false)
        case PHOTOMETRIC_RGB: return .rgb
        case PHOTOMETRIC_YCBCR: return isJPEG ? .rgb : .converted
        case PHOTOMETRIC_CIELAB, PHOTOMETRIC_ICCLAB:
            guard [8, 16].contains(bitsPerSample), !isJPEG else { throw .unsupportedTIFF("unusual samples of L*a*b*") }
            return .lab(isSigned: photometric == Int(PHOTOMETRIC_CIELAB))
        case PHOTOMETRIC_SEPARATED:
            guard file.short(TIFFTAG_INKSET) ?? 1 == Int(INKSET_CMYK) else {
                throw .unsupportedTIFF("inks other than CMYK")
            }
            return .inks
        case PHOTOMETRIC_PALETTE:
            guard bitsPerSample <= 8 else { throw .unsupportedTIFF("a palette of \(bitsPerSample) bits") }
            guard let palette = file.palette(count: 1 << bitsPerSample) else {
                throw ImageError(.corrupt, .decode, "the TIFF has indices, but no palette")
            }
            return .palette(palette)
        default: throw .unsupportedTIFF("photometric interpretation \(photometric)")
        }
    }
}

extension TIFFHandle {
    /// The photometric interpretation, guessed if it is missing.
    fileprivate func photometric(sampleCount: Int) -> Int {
        short(TIFFTAG_PHOTOMETRIC) ?? Int(sampleCount >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK)
    }

    /// Returns the index of the sample that is alpha, and whether colours are multiplied by it.
    ///
    /// An additional sample without a declared meaning is alpha, but one that is declared to have none is not, as in Pillow.
    fileprivate func alpha(sampleCount: Int, colorCount: Int) -> (index: Int?, isPremultiplied: Bool) {
        let extra = shorts(TIFFTAG_EXTRASAMPLES) ?? []
        guard !extra.isEmpty else { return (sampleCount == colorCount + 1 ? colorCount : nil, false) }
        let meanings = [Int(EXTRASAMPLE_ASSOCALPHA), Int(EXTRASAMPLE_UNASSALPHA)]
        guard let place = extra.firstIndex(where: meanings.contains), colorCount + place < sampleCount else {
            return (nil, false)
        }
        return (colorCount + place, extra[place] == Int(EXTRASAMPLE_ASSOCALPHA))
    }
}

extension ImageError {
    /// Returns the error of a file with `feature`.
    fileprivate static func unsupportedTIFF(_ feature: String) -> ImageError {
        ImageError(.unsupported, .decode, "the TIFF has \(feature), which is not supported")
    }
}
