#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif
import Synchronization

/// The memory of a bitmap, zero at first.
///
/// Sendable although it is mutable: its one maker writes, and hands it to a `Bitmap` when done; from then on all only read.
@safe package final class PixelStorage: @unchecked Sendable {
    /// The pixels, to be written before a bitmap has them.
    package let bytes: UnsafeMutableBufferPointer<UInt8>

    private let hasWeakReference = Atomic(false)

    /// Whether a weak reference was made, through which others may get the pixels again at any time; for good.
    var isWeaklyHeld: Bool {
        get { hasWeakReference.load(ordering: .acquiring) }
        set { hasWeakReference.store(newValue, ordering: .releasing) }
    }

    var byteCount: Int { unsafe bytes.count }

    /// From this size on, pages come from the system and go back to it, so that the heap is not left in pieces.
    private static let mappedByteCount = 4 << 20

    /// Allocates only when `size` is within `limits`.
    package convenience init(_ size: PixelSize, limits: DecodeLimits) throws(ImageError) {
        guard let byteCount = size.byteCount else {
            throw ImageError(.overLimit, .decode, "a picture of \(size) pixels does not fit into memory")
        }
        try limits.check(decodedByteCount: byteCount)
        self.init(size)
    }

    /// Allocates for a size that was checked, or that is no larger than one that was.
    init(_ size: PixelSize) {
        guard let byteCount = size.byteCount, let memory = unsafe Self.allocate(byteCount) else {
            preconditionFailure("no memory for \(size) pixels")
        }
        unsafe bytes = UnsafeMutableBufferPointer(
            start: memory.bindMemory(to: UInt8.self, capacity: byteCount), count: byteCount)
    }

    deinit {
        if byteCount < Self.mappedByteCount {
            unsafe free(bytes.baseAddress)
        } else {
            unsafe munmap(bytes.baseAddress, byteCount)
        }
    }

    func clearColorOfTransparentPixels() {
        unsafe UnsafeMutableRawBufferPointer(bytes).withMemoryRebound(to: UInt32.self) { pixels in
            let alpha = UInt32(littleEndian: 0xFF00_0000)
            for index in pixels.indices where unsafe pixels[index] & alpha == 0 {
                unsafe pixels[index] = 0
            }
        }
    }

    private static func allocate(_ byteCount: Int) -> UnsafeMutableRawPointer? {
        guard byteCount >= mappedByteCount else { return unsafe calloc(byteCount, 1) }
        let memory = unsafe mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
        guard let memory = unsafe memory, unsafe memory != MAP_FAILED else { return nil }
        #if os(Linux)
            // Faulting 12 Mpixel in by small pages takes as long as a third of decoding them.
            unsafe madvise(memory, byteCount, MADV_HUGEPAGE)
        #endif
        return unsafe memory
    }
}
