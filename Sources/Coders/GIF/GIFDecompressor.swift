import CGIFDecompressor
import DarkroomCore

/// Decompresses the colour indices of frames, one after the other.
@safe final class GIFDecompressor {
    private let decompressor: OpaquePointer

    /// Creates a decompressor, which can be used for any number of frames.
    init() throws(ImageError) {
        guard let decompressor = unsafe cgif_create() else {
            throw ImageError(.overLimit, .decode, "the system has no memory for decompressing a GIF")
        }
        unsafe self.decompressor = decompressor
    }

    deinit { unsafe cgif_destroy(decompressor) }

    /// Begins a frame. `bytes` start with the minimum code size, and must remain valid until the last of it was read.
    /// Returns why it has no indices, if that is known.
    func start(_ bytes: UnsafeRawBufferPointer) -> GIFDefect? {
        let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        return unsafe defect(cgif_start(decompressor, start, bytes.count))
    }

    /// Writes the next `count` indices, no more than `indices` has. Returns how many were written, and if not all were,
    /// the reason.
    ///
    /// - Throws: An error of `checkCancellation`, which is called first, and then after each 64 KiB of input that
    ///   result in no index.
    func read(
        _ indices: inout [UInt8], count: Int, checkCancellation: () throws -> Void
    ) throws -> (count: Int, defect: GIFDefect?) {
        precondition(count <= indices.count)
        var total = 0
        while true {
            try checkCancellation()
            var written = 0
            let status = unsafe indices.withUnsafeMutableBufferPointer { indices in
                unsafe cgif_read(decompressor, indices.baseAddress.map { unsafe $0 + total }, count - total, &written)
            }
            total += written
            guard status == cgif_again else { return (total, defect(status)) }
        }
    }

    private func defect(_ status: cgif_status) -> GIFDefect? {
        switch status {
        case cgif_done: nil
        case cgif_ended: .ended
        case cgif_incomplete: .incomplete
        default: .corrupt
        }
    }
}

/// The reason why a frame has fewer colour indices than pixels.
enum GIFDefect {
    /// Its codes end properly.
    case ended
    /// Its codes break off.
    case incomplete
    /// Its codes are invalid.
    case corrupt
}
