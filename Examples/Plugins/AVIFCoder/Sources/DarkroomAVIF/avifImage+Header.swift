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

    /// The colour space, unless it is sRGB.
    var calibration: Calibration? {
        unsafe .ofHEIF(primaries: Int(colorPrimaries), transfer: Int(transferCharacteristics))
    }
}
