import CTIFF
import DarkroomCore

/// The rows of a page whose pixels are stored in tiles, of which one row is decoded at a time.
struct TIFFTileRows: TIFFRows {
    let files: [TIFFHandle]

    private let page: TIFFPage
    private let request: DecodeRequest
    private let columnCount: Int
    private let tileByteCount: Int
    private let tileRowByteCount: Int

    /// The tiles of all planes from the left to the right.
    private var buffer: [UInt8]
    private var isIntact = false

    init(_ page: TIFFPage, _ request: DecodeRequest) throws {
        self.page = page
        self.request = request
        files = try page.open(request)
        tileByteCount = Int(unsafe TIFFTileSize(files[0].tiff))
        tileRowByteCount = Int(unsafe TIFFTileRowSize(files[0].tiff))
        columnCount = (page.size.width - 1) / page.block.width + 1
        let (needed, overflow) = tileRowByteCount.multipliedReportingOverflow(by: page.block.height)
        guard tileByteCount > 0, tileRowByteCount >= page.byteCount(ofPixels: page.block.width), !overflow,
            tileByteCount >= needed
        else { throw files[0].error("the tiles of the TIFF are too small for their size") }
        let (tileCount, countOverflow) = columnCount.multipliedReportingOverflow(by: files.count)
        let (byteCount, byteOverflow) = tileByteCount.multipliedReportingOverflow(by: tileCount)
        try page.check(request, bufferByteCount: countOverflow || byteOverflow ? nil : byteCount)
        buffer = [UInt8](repeating: 0, count: byteCount)
    }

    mutating func read(_ y: Int, into samples: inout MutableSpan<UInt16>) throws -> Bool {
        if y % page.block.height == 0 { isIntact = try readTiles(y) }
        guard isIntact else { return false }
        let row = y % page.block.height * tileRowByteCount
        for plane in files.indices {
            for column in 0..<columnCount {
                let x = column * page.block.width
                page.unpack(
                    buffer.span, at: (plane * columnCount + column) * tileByteCount + row, plane: plane,
                    pixelCount: min(page.block.width, page.size.width - x), to: &samples, from: x)
            }
        }
        return true
    }

    /// Reads the tiles whose first row is `y`. Returns false if any of them is damaged.
    private mutating func readTiles(_ y: Int) throws -> Bool {
        for (index, file) in files.enumerated() {
            let plane = page.planeCount == 1 ? 0 : page.usedSamples[index]
            for column in 0..<columnCount {
                try request.checkCancellation()
                let start = (index * columnCount + column) * tileByteCount
                let (range, x) = (start..<(start + tileByteCount), column * page.block.width)
                let status = unsafe buffer.withUnsafeMutableBytes { bytes in
                    let tile = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[range])
                    return unsafe TIFFReadTile(
                        file.tiff, tile.baseAddress, UInt32(x), UInt32(y), 0, UInt16(plane))
                }
                guard status >= 0 else { return false }
            }
        }
        return true
    }
}
