import CAVIF
import DarkroomCore

extension avifImage {
    /// The visible part of the image.
    var crop: avifCropRect {
        var area = unsafe avifCropRect(x: 0, y: 0, width: width, height: height)
        guard unsafe transformFlags & AVIF_TRANSFORM_CLAP.rawValue != 0 else { return area }
        var (box, diagnostics, cropped) = unsafe (clap, avifDiagnostics(), avifCropRect())
        let isValid = unsafe avifCropRectConvertCleanApertureBox(&cropped, &box, width, height, yuvFormat, &diagnostics)
        if isValid != 0 { area = cropped }
        return area
    }

    /// The size of that part.
    var croppedSize: PixelSize { unsafe PixelSize(Int(crop.width), Int(crop.height)) }

    /// The transformation that makes the image upright: rotation, then mirroring. AVIF ignores the orientation in Exif.
    var orientation: Orientation {
        let turns = unsafe transformFlags & AVIF_TRANSFORM_IROT.rawValue != 0 ? Int(irot.angle) & 3 : 0
        guard unsafe transformFlags & AVIF_TRANSFORM_IMIR.rawValue != 0 else {
            return [.up, .left, .down, .right][turns]
        }
        return unsafe imir.mode == 0
            ? [.downMirrored, .leftMirrored, .upMirrored, .rightMirrored][turns]
            : [.upMirrored, .rightMirrored, .downMirrored, .leftMirrored][turns]
    }

    /// The colour space, unless it is sRGB. Transfer curves without an exponent are treated as sRGB's.
    var calibration: Calibration? {
        let exponents: [Int: Double] = [
            AVIF_TRANSFER_CHARACTERISTICS_BT470M: 2.2, AVIF_TRANSFER_CHARACTERISTICS_BT470BG: 2.8,
            AVIF_TRANSFER_CHARACTERISTICS_LINEAR: 1,
        ]
        let known = [AVIF_COLOR_PRIMARIES_UNKNOWN, AVIF_COLOR_PRIMARIES_UNSPECIFIED, AVIF_COLOR_PRIMARIES_BT709]
        let exponent = unsafe exponents[Int(transferCharacteristics)]
        guard unsafe !known.contains(Int(colorPrimaries)) || exponent != nil else { return nil }
        var values = [Float](repeating: 0, count: 8)
        unsafe avifColorPrimariesGetValues(colorPrimaries, &values)
        func point(_ index: Int) -> Calibration.Chromaticity {
            .init(x: Double(values[index]), y: Double(values[index + 1]))
        }
        var calibration = Calibration(exponent: exponent ?? 2.2)
        (calibration.red, calibration.green) = (point(0), point(2))
        (calibration.blue, calibration.white) = (point(4), point(6))
        return calibration
    }
}
