import CTIFF
import DarkroomCore

/// The rows of a page whose pixels are stored in strips. libtiff decodes them row by row, so a strip of any height needs no
/// memory.
struct TIFFStripRows: TIFFRows {
    let files: [TIFFHandle]

    private let page: TIFFPage
    private var buffer: [UInt8]
    /// The first row that may be intact after damage, which lasts to the end of a strip.
    private var nextIntactRow = 0

    init(_ page: TIFFPage, _ request: DecodeRequest) throws {
        self.page = page
        files = try page.open(request)
        let byteCount = Int(unsafe TIFFScanlineSize(files[0].tiff))
        let neededByteCount = page.byteCount(ofPixels: page.size.width)
        guard byteCount > 0, byteCount >= neededByteCount else {
            throw files[0].error("the rows of the TIFF are too short for its width")
        }
        try page.check(request, bufferByteCount: byteCount)
        buffer = [UInt8](repeating: 0, count: byteCount)
    }

    mutating func read(_ y: Int, into samples: inout MutableSpan<UInt16>) -> Bool {
        guard y >= nextIntactRow else { return false }
        for (index, file) in files.enumerated() {
            let plane = page.planeCount == 1 ? 0 : page.usedSamples[index]
            let status = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe TIFFReadScanline(file.tiff, bytes.baseAddress, UInt32(y), UInt16(plane))
            }
            guard status == 1 else {
                let strip = y / page.block.height
                nextIntactRow = (strip + 1) * page.block.height
                return false
            }
            page.unpack(
                buffer.span, at: 0, plane: index, pixelCount: page.size.width, to: &samples, from: 0)
        }
        return true
    }
}
