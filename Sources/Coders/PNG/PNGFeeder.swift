import CPNG
import DarkroomCore

/// A libpng push reader of an image that arrives in pieces.
@safe final class PNGFeeder {
    private let handle: OpaquePointer
    private let size: PixelSize
    private let conversion: PNGDeepConversion?

    /// Creates a reader of an image that must have the given size. `conversion` converts rows with 16 bits per channel.
    init(_ size: PixelSize, verifiesChecksums: Bool, conversion: PNGDeepConversion?) throws(ImageError) {
        guard let width = UInt32(exactly: size.width), let height = UInt32(exactly: size.height),
            let handle = unsafe cpng_feeder_create(width, height, verifiesChecksums ? 1 : 0)
        else { throw ImageError(.internal, .decode, "libpng could not allocate a reader") }
        unsafe self.handle = handle
        self.size = size
        self.conversion = conversion
        if let conversion {
            unsafe cpng_feeder_set_convert(
                handle, { unsafe PNGDeepConversion.convert($0, $1, $2, count: $3) }, conversion.context)
        }
    }

    deinit { unsafe cpng_feeder_destroy(handle) }

    /// Whether pixels have alpha. Valid from the first row on.
    var hasAlpha: Bool { unsafe cpng_feeder_has_alpha(handle) != 0 }

    /// Whether all rows of all passes have arrived.
    var isComplete: Bool { unsafe cpng_feeder_is_complete(handle) != 0 }

    /// Whether libpng issued a warning, for damage that the reader of whole files may reject.
    var hasWarned: Bool { unsafe cpng_feeder_has_warned(handle) != 0 }

    /// Reads the next bytes, beginning with the signature, and passes each new row to `onRow` as RGBA8 with straight
    /// alpha.
    ///
    /// Rows of an interlaced image arrive once per pass, and are complete only in `pixels`: memory for all pixels,
    /// initially zero and the same in each call. An error thrown by `onRow`, or raised by libpng, ends the reading.
    func feed(
        _ bytes: Span<UInt8>, into pixels: UnsafeMutablePointer<UInt8>? = nil,
        onRow: (_ y: Int, _ pass: Int, _ row: Span<UInt8>) throws -> Void
    ) throws {
        try withoutActuallyEscaping(onRow) { onRow in
            let callback = RowCallback(rowByteCount: size.width * 4, onRow)
            // The callback object outlives the call, and the sink is not retained.
            var sink = unsafe cpng_sink(
                context: Unmanaged.passUnretained(callback).toOpaque(), pixels: pixels,
                take_row: { context, y, pass, row in
                    let callback = unsafe Unmanaged<RowCallback>.fromOpaque(context!).takeUnretainedValue()
                    return unsafe callback.receive(row!, y: Int(y), pass: Int(pass)) ? 0 : 1
                })
            let code = unsafe bytes.withUnsafeBufferPointer { bytes in
                unsafe cpng_feed(handle, bytes.baseAddress, bytes.count, &sink)
            }
            if let error = callback.error { throw error }
            guard Int(code) == CPNG_OK else {
                let message = unsafe String(cString: cpng_feeder_message(handle))
                throw ImageError(.corrupt, .decode, "the PNG file is corrupt (libpng: \(message))")
            }
        }
    }
}

/// Passes the closure of one call through C, and keeps its error, which must not propagate through C.
private final class RowCallback {
    private let rowByteCount: Int
    private let onRow: (Int, Int, Span<UInt8>) throws -> Void
    private(set) var error: (any Error)?

    init(rowByteCount: Int, _ onRow: @escaping (Int, Int, Span<UInt8>) throws -> Void) {
        self.rowByteCount = rowByteCount
        self.onRow = onRow
    }

    /// Returns whether to continue.
    func receive(_ row: UnsafePointer<UInt8>, y: Int, pass: Int) -> Bool {
        do {
            try onRow(y, pass, unsafe Span(_unsafeStart: row, count: rowByteCount))
            return true
        } catch {
            self.error = error
            return false
        }
    }
}
