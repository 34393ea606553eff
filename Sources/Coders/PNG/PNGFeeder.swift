import CPNG
import DarkroomCore

/// libpng's reader of a picture that comes in pieces.
@safe final class PNGFeeder {
    private let handle: OpaquePointer
    private let size: PixelSize

    /// A reader of a picture that must have this `size`.
    init(_ size: PixelSize, checksChecksums: Bool) throws(ImageError) {
        guard let width = UInt32(exactly: size.width), let height = UInt32(exactly: size.height),
            let handle = unsafe cpng_feeder_create(width, height, checksChecksums ? 1 : 0)
        else { throw ImageError(.internal, .decode, "libpng has no memory for a reader") }
        unsafe self.handle = handle
        self.size = size
    }

    deinit { unsafe cpng_feeder_destroy(handle) }

    /// Whether pixels have alpha; known from the first row on.
    var hasAlpha: Bool { unsafe cpng_feeder_has_alpha(handle) != 0 }

    /// Whether all rows of all passes have come.
    var isComplete: Bool { unsafe cpng_feeder_is_complete(handle) != 0 }

    /// Whether something was amiss that the reader of whole files may not let pass.
    var hasWarned: Bool { unsafe cpng_feeder_has_warned(handle) != 0 }

    /// Reads the next bytes, from the signature on, and hands each row that came to `takeRow`, RGBA8 with straight alpha.
    ///
    /// Rows of an interlaced picture come once a pass, and are only whole in `picture`: memory for all pixels, zero at
    /// first, the same in each call. What `takeRow` throws ends it all, as does an error of libpng.
    func feed(
        _ bytes: Span<UInt8>, picture: UnsafeMutablePointer<UInt8>? = nil,
        takeRow: (_ y: Int, _ pass: Int, _ row: Span<UInt8>) throws -> Void
    ) throws {
        try withoutActuallyEscaping(takeRow) { takeRow in
            let taker = RowTaker(rowByteCount: size.width * 4, takeRow)
            // The taker outlives the call, and nobody keeps the sink.
            var sink = unsafe cpng_sink(
                context: Unmanaged.passUnretained(taker).toOpaque(), pixels: picture,
                take_row: { context, y, pass, row in
                    let taker = unsafe Unmanaged<RowTaker>.fromOpaque(context!).takeUnretainedValue()
                    return unsafe taker.take(Int(y), Int(pass), row!) ? 0 : 1
                })
            let code = unsafe bytes.withUnsafeBufferPointer { bytes in
                unsafe cpng_feed(handle, bytes.baseAddress, bytes.count, &sink)
            }
            if let error = taker.error { throw error }
            guard Int(code) == CPNG_OK else {
                let message = unsafe String(cString: cpng_feeder_message(handle))
                throw ImageError(.corrupt, .decode, "the PNG file is broken (libpng: \(message))")
            }
        }
    }
}

/// Carries the closure of one call through C, which an error must not pass.
private final class RowTaker {
    private let rowByteCount: Int
    private let takeRow: (Int, Int, Span<UInt8>) throws -> Void
    private(set) var error: (any Error)?

    init(rowByteCount: Int, _ takeRow: @escaping (Int, Int, Span<UInt8>) throws -> Void) {
        self.rowByteCount = rowByteCount
        self.takeRow = takeRow
    }

    /// Whether to go on.
    func take(_ y: Int, _ pass: Int, _ row: UnsafePointer<UInt8>) -> Bool {
        do {
            try takeRow(y, pass, unsafe Span(_unsafeStart: row, count: rowByteCount))
            return true
        } catch {
            self.error = error
            return false
        }
    }
}
