import DarkroomPlatform
import Synchronization

/// The memory of a bitmap. It is zeroed, unless its creator promises to overwrite all of it.
///
/// It is `Sendable` although it is mutable: only its creator writes, before passing it to a `Bitmap`, and from then on
/// it is only read.
@safe package final class PixelStorage: @unchecked Sendable {
    /// The pixels, which may be written only until a bitmap owns them.
    package let bytes: UnsafeMutableBufferPointer<UInt8>

    private let hasWeakReference = Atomic(false)

    /// Whether a weak reference was ever made, through which the pixels may be retrieved again at any time.
    var isWeaklyHeld: Bool {
        get { hasWeakReference.load(ordering: .acquiring) }
        set { hasWeakReference.store(newValue, ordering: .releasing) }
    }

    private let isOfFile = Atomic(false)

    /// Whether a coder has decoded these pixels, and nothing has changed them.
    var isAsStored: Bool {
        get { isOfFile.load(ordering: .acquiring) }
        set { isOfFile.store(newValue, ordering: .releasing) }
    }

    var byteCount: Int { unsafe bytes.count }

    /// Allocates memory for `size` pixels.
    ///
    /// With `isUninitialized`, the caller must write every byte before any is read, because the memory may contain the
    /// pixels of another bitmap.
    ///
    /// - Throws: An error of kind `overLimit` if `size` exceeds `limits`, or the system has no such memory.
    package convenience init(
        _ size: PixelSize, limits: DecodeLimits, isUninitialized: Bool = false
    ) throws(ImageError) {
        guard let byteCount = size.byteCount else {
            throw ImageError(.overLimit, .decode, "an image of \(size) pixels does not fit into memory")
        }
        try limits.check(decodedByteCount: byteCount)
        guard let memory = unsafe Self.allocate(byteCount, isUninitialized: isUninitialized) else {
            throw ImageError(.overLimit, .decode, "the system has no memory for an image of \(size) pixels")
        }
        unsafe self.init(memory, byteCount: byteCount)
    }

    /// Allocates memory for a copy of a bitmap of `size`, in functions that cannot throw. Every byte must be written.
    convenience init(copyOf size: PixelSize) {
        guard let byteCount = size.byteCount, let memory = unsafe Self.allocate(byteCount, isUninitialized: true)
        else {
            preconditionFailure("no memory for \(size) pixels")
        }
        unsafe self.init(memory, byteCount: byteCount)
    }

    private init(_ memory: UnsafeMutableRawPointer, byteCount: Int) {
        unsafe bytes = UnsafeMutableBufferPointer(
            start: memory.bindMemory(to: UInt8.self, capacity: byteCount), count: byteCount)
    }

    deinit {
        if unsafe OutputPixels.giveBack(bytes.baseAddress) { return }
        if byteCount < PixelMemory.minimumByteCount {
            unsafe free(bytes.baseAddress)
        } else {
            unsafe PixelMemory.deallocate(
                UnsafeMutableRawPointer(bytes.baseAddress.unsafelyUnwrapped), byteCount: byteCount)
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

    private static func allocate(_ byteCount: Int, isUninitialized: Bool) -> UnsafeMutableRawPointer? {
        if let memory = unsafe OutputPixels.take(byteCount, isUninitialized: isUninitialized) { return unsafe memory }
        return switch (byteCount < PixelMemory.minimumByteCount, isUninitialized) {
        case (true, true): unsafe malloc(byteCount)
        case (true, false): unsafe calloc(byteCount, 1)
        case (false, true): unsafe PixelMemory.allocate(byteCount)
        case (false, false): unsafe PixelMemory.allocateZeroed(byteCount)
        }
    }
}
