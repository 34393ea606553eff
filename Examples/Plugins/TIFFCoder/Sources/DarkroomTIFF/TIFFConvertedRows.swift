import CTIFF
import DarkroomCore

/// The rows of a page that libtiff converts to RGB with 8 bits, one strip or row of tiles at a time.
struct TIFFConvertedRows: TIFFRows {
    let files: [TIFFHandle]

    private let page: TIFFPage
    private var words: [UInt32]
    private var isIntact = false

    init(_ page: TIFFPage, _ request: DecodeRequest) throws {
        self.page = page
        let height = min(page.block.height, page.size.height)
        // The strips or tiles that libtiff holds besides.
        let blockByteCount = PixelSize(page.block.width, page.isTiled ? page.block.height : height).byteCount
        let wordByteCount = PixelSize(page.size.width, height).byteCount
        let (sum, overflow) = (blockByteCount ?? .max).addingReportingOverflow(wordByteCount ?? .max)
        try page.check(request, bufferByteCount: overflow ? nil : sum)
        files = [try page.open(request)[0]]
        words = [UInt32](repeating: 0, count: page.size.width * height)
    }

    mutating func read(_ y: Int, into samples: inout MutableSpan<UInt16>) -> Bool {
        let row = y % page.block.height
        if row == 0 {
            let count = min(page.block.height, page.size.height - y)
            isIntact = unsafe words.withUnsafeMutableBufferPointer { buffer in
                unsafe ctiff_read_converted(
                    files[0].tiff, UInt32(y), UInt32(page.size.width), UInt32(count), buffer.baseAddress)
            }
        }
        guard isIntact else { return false }
        for x in 0..<page.size.width {
            let word = words[row * page.size.width + x]
            for channel in 0..<3 { samples[3 * x + channel] = UInt16(word >> UInt32(8 * channel) & 0xFF) }
        }
        return true
    }
}
