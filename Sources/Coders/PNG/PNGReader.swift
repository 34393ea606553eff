import CPNG
import DarkroomCore
import DarkroomPlatform

/// The reader of one file. It uses libpng, except for the rows of common files.
@safe final class PNGReader {
    private let handle: OpaquePointer
    private let header: cpng_header
    private let cancellation: Cancellation
    private let conversion: PNGDeepConversion?

    /// How a file is read.
    struct Options {
        /// The size that the image must not exceed.
        var largestSize: PixelSize?

        /// Whether the profile is read.
        var keepsProfile = false

        /// Whether a wrong or missing end of the compressed pixels, or references beyond the declared window, are
        /// tolerated.
        var isTolerant = false

        /// The conversion of rows with 16 bits per channel.
        var conversion: PNGDeepConversion?
    }

    /// Provides cancellation inside a call that may consume all bytes.
    private final class Cancellation {
        let request: InfoRequest

        init(_ request: InfoRequest) { self.request = request }
    }

    /// Calls `body` with a reader that has read the header of `request.data`, whose outline is given.
    static func withReader<Result>(
        of request: InfoRequest, outline: PNGOutline, options: Options, _ body: (PNGReader) throws -> Result
    ) throws -> Result {
        let head = outline.head(of: PNGFile(request.data))
        return try unsafe request.data.withUnsafeBytes { bytes in
            try unsafe head.bytes.withUnsafeBufferPointer { start in
                let reader = try unsafe PNGReader(
                    bytes, head: start, bodyStart: head.bodyStart, options: options,
                    cancellation: Cancellation(request))
                return try body(reader)
            }
        }
    }

    // libpng keeps pointers into `bytes` and `head`, so they must outlive the reader.
    private init(
        _ bytes: UnsafeRawBufferPointer, head: UnsafeBufferPointer<UInt8>, bodyStart: Int, options: Options,
        cancellation: Cancellation
    ) throws(ImageError) {
        let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        guard let handle = unsafe cpng_reader_create(start, bytes.count) else {
            throw ImageError(.internal, .decode, "libpng could not allocate a reader")
        }
        // Alive whenever libpng calls back: the reader retains the object, and destroys the handle in its deinit.
        let context = unsafe Unmanaged.passUnretained(cancellation).toOpaque()
        unsafe cpng_reader_set_is_stopped(
            handle,
            { context in
                guard let context = unsafe context else { return 0 }
                // The object passed below.
                return unsafe Unmanaged<Cancellation>.fromOpaque(context).takeUnretainedValue().request.isCancelled
                    ? 1 : 0
            }, context)
        unsafe cpng_reader_set_head(handle, head.baseAddress, head.count, bodyStart)
        if let conversion = options.conversion {
            unsafe cpng_reader_set_convert(
                handle, { unsafe PNGDeepConversion.convert($0, $1, $2, count: $3) }, conversion.context)
        }
        if options.isTolerant { unsafe cpng_reader_tolerate(handle) }
        var header = unsafe cpng_header()
        let code = unsafe cpng_read_header(
            handle, UInt32(clamping: options.largestSize?.width ?? .max),
            UInt32(clamping: options.largestSize?.height ?? .max), options.keepsProfile ? 1 : 0, &header)
        unsafe self.handle = handle
        unsafe self.header = header
        self.cancellation = cancellation
        conversion = options.conversion
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

    /// Whether a tolerant reader may succeed where this one has failed to read rows.
    var isTolerable: Bool { unsafe cpng_reader_is_tolerable(handle) != 0 }

    /// Whether libpng has ignored a profile because it describes other colours than the pixels.
    var hasProfileOfOtherColors: Bool { unsafe header.has_profile_of_other_colors != 0 }

    var size: PixelSize { unsafe PixelSize(Int(header.width), Int(header.height)) }

    var hasAlpha: Bool { unsafe header.has_alpha != 0 }

    /// Whether no row is complete before the last pass.
    var isInterlaced: Bool { unsafe header.is_interlaced != 0 }

    /// The number of bytes per column of row buffers: three rows of up to four or eight bytes per pixel, or libpng's.
    var columnByteCount: Int { unsafe header.bit_depth == 16 ? 24 : 16 }

    private var colorModel: ImageInfo.ColorModel {
        switch unsafe Int(header.color_type) {
        case CPNG_GRAY, CPNG_GRAY_ALPHA: .gray
        case CPNG_PALETTE: .indexed
        default: .rgb
        }
    }

    /// Allocates rows, and returns the number of passes over all rows: 1 unless the file is interlaced.
    func startRows() throws(ImageError) -> Int {
        var passCount: Int32 = 0
        try check(unsafe cpng_start_rows(handle, &passCount))
        return Int(passCount)
    }

    /// Reads the next row as RGBA8 with straight alpha into `range` of `pixels`, which must have the length of a row.
    ///
    /// In a later pass, the range must contain the result of the previous pass. Cancellation is checked for each row
    /// read, including rows read again when an unusual file is left to libpng from the first row on.
    func readRow(
        into pixels: inout MutableSpan<UInt8>, at range: Range<Int>, checkCancellation: () throws -> Void
    ) throws {
        precondition(
            range.count == size.width * 4 && range.upperBound <= pixels.count,
            "the range does not have the length of a row")
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
            try cancellation.request.checkCancellation()
            throw .cancelled
        case CPNG_INCOMPLETE: throw ImageError(.incomplete, .decode, "the PNG file is truncated")
        default:
            let message = unsafe String(cString: cpng_reader_message(handle))
            throw ImageError(.corrupt, .decode, "the PNG file is corrupt (libpng: \(message))")
        }
    }
}

extension PNGCoder {
    /// The underlying libraries and their versions: that of the loaded libpng, and that of libdeflate at build time.
    public static var libraryVersions: [String: String] {
        [
            "libpng": unsafe String(cString: cpng_libpng_version()),
            "libdeflate": unsafe String(cString: cpng_libdeflate_version()),
        ]
    }
}
