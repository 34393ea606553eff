import DarkroomCore

/// Pixels with 16 bits for each channel. They must be used by one task only.
@safe final class WidePixels {
    private let size: PixelSize
    private let storage: PixelStorage
    private let samples: UnsafeMutablePointer<UInt16>

    /// Allocates uninitialized pixels.
    init(_ size: PixelSize, limits: DecodeLimits) throws {
        self.size = size
        // Each pixel takes the memory of two.
        storage = try PixelStorage(PixelSize(size.width * 2, size.height), limits: limits, isUninitialized: true)
        guard let base = unsafe UnsafeMutableRawPointer(storage.bytes.baseAddress) else {
            throw ImageError(.internal, .transform, "there is no memory for an image without pixels")
        }
        unsafe samples = base.assumingMemoryBound(to: UInt16.self)
    }

    /// The channels of the pixel at `index`, row by row.
    @inline(__always) subscript(index: Int) -> SIMD4<UInt16> {
        get { unsafe UnsafeRawPointer(samples + 4 * index).loadUnaligned(as: SIMD4<UInt16>.self) }
        set { unsafe UnsafeMutableRawPointer(samples + 4 * index).storeBytes(of: newValue, as: SIMD4<UInt16>.self) }
    }

    /// Applies three box filters that extend `boxRadius` pixels beyond their centre.
    func blur(boxRadius: Int, checkCancellation: () throws -> Void) throws {
        let filter = BoxFilter<UInt16>(size: size, boxRadius: boxRadius)
        for _ in 0..<3 { try unsafe filter.filter(samples, checkCancellation: checkCancellation) }
    }
}
