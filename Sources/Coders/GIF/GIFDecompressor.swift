import CGIF
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

    /// Begins a frame. `bytes` start with the minimum code size. They must not be empty, and must remain valid until
    /// the frame ends.
    func start(_ bytes: UnsafeRawBufferPointer) throws(ImageError) {
        let start = unsafe bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
        if let failure = unsafe failure(cgif_start(decompressor, start, bytes.count)) { throw failure }
    }

    /// Writes the next `count` indices, no more than `indices` has. Returns how many were written, and if not all were,
    /// the reason.
    ///
    /// - Throws: An error of `checkCancellation`, which is called first, and then after each 64 KiB of input that
    ///   result in no index.
    func read(
        _ indices: inout [UInt8], count: Int, checkCancellation: () throws -> Void
    ) throws -> (count: Int, failure: ImageError?) {
        precondition(count <= indices.count)
        var total = 0
        while true {
            try checkCancellation()
            var written = 0
            let status = unsafe indices.withUnsafeMutableBufferPointer { indices in
                unsafe cgif_read(decompressor, indices.baseAddress.map { unsafe $0 + total }, count - total, &written)
            }
            total += written
            guard status == cgif_again else { return (total, failure(status)) }
        }
    }

    /// Ends a frame.
    func finish() throws(ImageError) {
        if let failure = unsafe failure(cgif_finish(decompressor)) { throw failure }
    }

    private func failure(_ status: cgif_status) -> ImageError? {
        switch status {
        case cgif_done: nil
        case cgif_incomplete: .truncatedGIF
        default: ImageError(.corrupt, .decode, "the GIF has a corrupt frame")
        }
    }
}
