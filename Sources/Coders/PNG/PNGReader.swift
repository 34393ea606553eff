import CPNG
import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The reader of one file: libpng, but for the rows of files of the usual sort.
@safe final class PNGReader {
    private let handle: OpaquePointer
    private let header: cpng_header
    private let watch: Watch

    /// Says whether to go on reading, where one call may take all the bytes.
    private final class Watch {
        let request: InfoRequest

        init(_ request: InfoRequest) { self.request = request }
    }

    /// Lends `body` a reader that has read the header of `request.data`. A picture larger than `largestSize` is an error.
    static func withReader<Result>(
        of request: InfoRequest, largestSize: PixelSize? = nil, keepsProfile: Bool = false,
        _ body: (PNGReader) throws -> Result
    ) throws -> Result {
        try unsafe request.data.withUnsafeBytes { bytes in
            try body(unsafe PNGReader(bytes, Watch(request), largestSize: largestSize, keepsProfile: keepsProfile))
        }
    }

    // libpng keeps a pointer into `bytes`, so they must outlive the reader.
    private init(
        _ bytes: UnsafeRawBufferPointer, _ watch: Watch, largestSize: PixelSize?, keepsProfile: Bool
    ) throws(ImageError) {
        let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        guard let handle = unsafe cpng_reader_create(start, bytes.count) else {
            throw ImageError(.internal, .decode, "libpng has no memory for a reader")
        }
        // Alive whenever libpng asks: the reader keeps the watch, and destroys the handle with itself.
        let context = unsafe Unmanaged.passUnretained(watch).toOpaque()
        unsafe cpng_reader_watch(
            handle,
            { context in
                guard let context = unsafe context else { return 0 }
                // The watch that was passed below, and no other type.
                return unsafe Unmanaged<Watch>.fromOpaque(context).takeUnretainedValue().request.isCancelled ? 1 : 0
            }, context)
        var header = unsafe cpng_header()
        let code = unsafe cpng_read_header(
            handle, UInt32(clamping: largestSize?.width ?? .max), UInt32(clamping: largestSize?.height ?? .max),
            keepsProfile ? 1 : 0, &header)
        unsafe self.handle = handle
        unsafe self.header = header
        self.watch = watch
        try check(code)
    }

    deinit { unsafe cpng_reader_destroy(handle) }

    /// The header, without the orientation.
    var info: ImageInfo {
        var info = ImageInfo(format: .png, storedSize: size)
        info.hasAlpha = hasAlpha
        info.colorModel = colorModel
        info.bitsPerChannel = colorModel == .indexed ? 8 : unsafe Int(header.bit_depth)
        info.iccProfile = unsafe header.profile.map { unsafe Data(bytes: $0, count: header.profile_count) }
        return info
    }

    var size: PixelSize { unsafe PixelSize(Int(header.width), Int(header.height)) }

    var hasAlpha: Bool { unsafe header.has_alpha != 0 }

    /// Whether no row is complete before the last pass.
    var isInterlaced: Bool { unsafe header.is_interlaced != 0 }

    /// Bytes a column of the rows that are held while it is read: three of up to four or eight bytes a pixel, or libpng's.
    var columnByteCount: Int { unsafe header.bit_depth == 16 ? 24 : 16 }

    private var colorModel: ImageInfo.ColorModel {
        switch unsafe Int(header.color_type) {
        case CPNG_GRAY, CPNG_GRAY_ALPHA: .gray
        case CPNG_PALETTE: .indexed
        default: .rgb
        }
    }

    /// Allocates rows, and answers how often all rows must be read: once unless the file is interlaced.
    func startRows() throws(ImageError) -> Int {
        var passCount: Int32 = 0
        try check(unsafe cpng_start_rows(handle, &passCount))
        return Int(passCount)
    }

    /// Reads the next row, RGBA8 with straight alpha, into the bytes of `pixels` at `range`, which are those of a whole row.
    ///
    /// In a later pass they must be what the pass before has left. Cancellation is asked for with each row that is read,
    /// be it for the second time: what turns out to be odd is left to libpng, from the first row on.
    func readRow(
        into pixels: inout MutableSpan<UInt8>, at range: Range<Int>, checkCancellation: () throws -> Void
    ) throws {
        precondition(range.count == size.width * 4 && range.upperBound <= pixels.count, "there is no room for a row")
        while true {
            try checkCancellation()
            let code = unsafe pixels.withUnsafeMutableBufferPointer { bytes in
                unsafe cpng_read_row(handle, bytes.baseAddress! + range.lowerBound)  // a row is not empty
            }
            guard Int(code) == CPNG_AGAIN else { return try check(code) }
        }
    }

    private func check(_ code: Int32) throws(ImageError) {
        switch Int(code) {
        case CPNG_OK: return
        case CPNG_STOPPED:
            try watch.request.checkCancellation()
            throw .cancelled
        case CPNG_INCOMPLETE: throw ImageError(.incomplete, .decode, "the PNG file ends too early")
        default:
            let message = unsafe String(cString: cpng_reader_message(handle))
            throw ImageError(.corrupt, .decode, "the PNG file is broken (libpng: \(message))")
        }
    }
}
