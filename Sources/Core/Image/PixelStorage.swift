#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif
import Synchronization

/// The memory of a bitmap, zero at first unless its maker promises to write all of it.
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

    /// Allocates only when `size` is within `limits`; throws when the system has no such memory, too.
    ///
    /// Who says that it is overwritten writes every byte before anybody sees one: they may be those of another bitmap.
    package convenience init(
        _ size: PixelSize, limits: DecodeLimits, isOverwritten: Bool = false
    ) throws(ImageError) {
        guard let byteCount = size.byteCount else {
            throw ImageError(.overLimit, .decode, "a picture of \(size) pixels does not fit into memory")
        }
        try limits.check(decodedByteCount: byteCount)
        guard let memory = unsafe Self.allocate(byteCount, isOverwritten) else {
            throw ImageError(.overLimit, .decode, "the system has no memory for a picture of \(size) pixels")
        }
        unsafe self.init(memory, byteCount)
    }

    /// Allocates for a copy of a bitmap of `size`, where no error can be thrown.
    convenience init(copyOf size: PixelSize) {
        guard let byteCount = size.byteCount, let memory = unsafe Self.allocate(byteCount, false) else {
            preconditionFailure("no memory for \(size) pixels")
        }
        unsafe self.init(memory, byteCount)
    }

    private init(_ memory: UnsafeMutableRawPointer, _ byteCount: Int) {
        unsafe bytes = UnsafeMutableBufferPointer(
            start: memory.bindMemory(to: UInt8.self, capacity: byteCount), count: byteCount)
    }

    deinit {
        if byteCount < Self.mappedByteCount {
            unsafe free(bytes.baseAddress)
        } else {
            unsafe PixelMemory.giveBack(UnsafeMutableRawPointer(bytes.baseAddress.unsafelyUnwrapped), byteCount)
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

    private static func allocate(_ byteCount: Int, _ isOverwritten: Bool) -> UnsafeMutableRawPointer? {
        switch (byteCount < mappedByteCount, isOverwritten) {
        case (true, true): unsafe malloc(byteCount)
        case (true, false): unsafe calloc(byteCount, 1)
        case (false, true): unsafe PixelMemory.any(byteCount)
        case (false, false): unsafe PixelMemory.cleared(byteCount)
        }
    }
}
