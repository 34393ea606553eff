import CPNG
import FoundationEssentials

/// The result of reading all rows of a file.
struct PNGRowsReading: Equatable {
    /// The last code of the reader.
    var code = 0
    /// The error message of libpng.
    var message = ""
    /// The rows; empty unless all of them could be read.
    var rows: [UInt8] = []

    /// Reads `data`. Returns `nil` if its header is invalid.
    ///
    /// `isFast` is set to whether libpng was not needed, and `againCount` to the number of repeated calls.
    static func read(
        _ data: Data, byLibraryAlone isPlain: Bool = false
    ) -> (reading: Self, isFast: Bool, againCount: Int)? {
        let bytes = [UInt8](data)
        return unsafe bytes.withUnsafeBufferPointer { bytes in
            let reader = unsafe cpng_reader_create(bytes.baseAddress, bytes.count)!
            defer { unsafe cpng_reader_destroy(reader) }
            var header = unsafe cpng_header()
            guard unsafe cpng_read_header(reader, 2000, 2000, 0, &header) == CPNG_OK else { return nil }
            var passCount: Int32 = 0
            var reading = Self()
            reading.code = Int(
                unsafe isPlain ? cpng_start_libpng_rows(reader, &passCount) : cpng_start_rows(reader, &passCount))
            let rowByteCount = unsafe Int(header.width) * 4
            reading.rows = unsafe [UInt8](repeating: 0, count: rowByteCount * Int(header.height))
            var againCount = 0
            for _ in 0..<passCount {
                var y = 0
                while reading.code == CPNG_OK, unsafe y < Int(header.height) {
                    reading.code = unsafe reading.rows.withUnsafeMutableBufferPointer { rows in
                        unsafe Int(cpng_read_row(reader, rows.baseAddress! + y * rowByteCount))
                    }
                    if reading.code == CPNG_AGAIN {
                        (reading.code, againCount) = (CPNG_OK, againCount + 1)
                    } else if reading.code == CPNG_OK {
                        y += 1
                    } else {
                        reading.rows = []
                    }
                }
            }
            reading.message = unsafe String(cString: cpng_reader_message(reader))
            return unsafe (reading, cpng_reader_is_fast(reader) != 0, againCount)
        }
    }
}
