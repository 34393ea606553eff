import CTIFF
import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A file being encoded. Owned by one task.
struct TIFFWriter {
    private let file: TIFFHandle
    private let request: EncodeRequest

    /// Returns the file of all frames of `request`.
    static func file(_ request: EncodeRequest) throws -> Data {
        try request.checkCancellation()
        let writer = TIFFWriter(
            file: try TIFFHandle(writingAtMost: request.context.limits.outputByteCount), request: request)
        if request.context.usesFirstFrameOnly {
            try writer.append(request.image.bitmap)
        } else {
            try request.forEachFrame { try writer.append($0.bitmap) }
        }
        let data = writer.file.finish()
        try writer.check()
        return data
    }

    private func append(_ bitmap: Bitmap) throws {
        let isGray = try request.iccProfile == nil && bitmap.isGray(request.checkCancellation)
        let colorCount = isGray ? 1 : 3
        let sampleCount = colorCount + (bitmap.hasAlpha ? 1 : 0)
        setFields(bitmap.size, sampleCount: sampleCount, isGray: isGray)
        if bitmap.hasAlpha { file.set(TIFFTAG_EXTRASAMPLES, [UInt16(EXTRASAMPLE_UNASSALPHA)]) }
        var row = [UInt8](repeating: 0, count: bitmap.size.width * sampleCount)
        try bitmap.withPixels { pixels in
            for y in 0..<bitmap.size.height {
                try request.checkCancellation()
                for x in 0..<bitmap.size.width {
                    let (source, target) = ((y * bitmap.size.width + x) * 4, x * sampleCount)
                    for channel in 0..<colorCount { row[target + channel] = pixels[source + channel] }
                    if bitmap.hasAlpha { row[target + colorCount] = pixels[source + 3] }
                }
                // libtiff changes the row to differences of neighbours in place.
                let status = unsafe row.withUnsafeMutableBytes { bytes in
                    unsafe TIFFWriteScanline(file.tiff, bytes.baseAddress, UInt32(y), 0)
                }
                guard status == 1 else { throw error }
            }
        }
        guard unsafe TIFFWriteDirectory(file.tiff) == 1 else { throw error }
    }

    private func setFields(_ size: PixelSize, sampleCount: Int, isGray: Bool) {
        let rowByteCount = size.width * sampleCount
        let fields: [(CInt, CInt)] = [
            (TIFFTAG_IMAGEWIDTH, CInt(clamping: size.width)), (TIFFTAG_IMAGELENGTH, CInt(clamping: size.height)),
            (TIFFTAG_BITSPERSAMPLE, 8), (TIFFTAG_SAMPLESPERPIXEL, CInt(sampleCount)),
            (TIFFTAG_PHOTOMETRIC, isGray ? PHOTOMETRIC_MINISBLACK : PHOTOMETRIC_RGB),
            (TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG), (TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT),
            (TIFFTAG_COMPRESSION, COMPRESSION_ADOBE_DEFLATE), (TIFFTAG_PREDICTOR, PREDICTOR_HORIZONTAL),
            (TIFFTAG_ROWSPERSTRIP, CInt(clamping: max(1, (1 << 18) / rowByteCount))),
        ]
        for (tag, value) in fields { file.set(tag, value) }
        if let profile = request.iccProfile { file.set(TIFFTAG_ICCPROFILE, profile) }
        if let xmp = request.xmp { file.set(TIFFTAG_XMLPACKET, xmp.data) }
    }

    /// Throws if the file became too long.
    private func check() throws(ImageError) {
        guard file.isTooLong else { return }
        try request.check(outputByteCount: file.byteCount + 1)
        let bound = request.context.limits.outputByteCount
        throw .overLimit("outputByteCount", value: bound + 1, bound: bound, stage: .encode)
    }

    private var error: ImageError {
        get {
            do {
                try check()
                return ImageError(
                    .unsupported, .encode, "the TIFF cannot be written (libtiff: \(file.message ?? "no reason given"))")
            } catch {
                return error
            }
        }
    }
}

extension Bitmap {
    /// Returns whether the colours of all pixels are shades of grey.
    fileprivate func isGray(_ checkCancellation: () throws -> Void) throws -> Bool {
        try withPixels { pixels in
            for start in stride(from: 0, to: pixels.count, by: size.width * 4) {
                try checkCancellation()
                for place in stride(from: start, to: start + size.width * 4, by: 4)
                where pixels[place] != pixels[place + 1] || pixels[place] != pixels[place + 2] {
                    return false
                }
            }
            return true
        }
    }
}
