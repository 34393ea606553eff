/// The pixels of one frame: 8-bit RGBA with straight alpha, upright, in packed rows from the top. Colour under alpha 0
/// is zero.
public struct Bitmap: Sendable {
    /// The number of columns and rows, both positive.
    public let size: PixelSize

    /// Whether the pixel format has alpha. In an opaque bitmap all alpha bytes are 255.
    public let hasAlpha: Bool

    private var storage: PixelStorage

    /// The number of bytes of the pixels.
    public var byteCount: Int { storage.byteCount }

    /// Creates a bitmap with the pixels that `fill` writes.
    ///
    /// `size` is checked against `limits` before any allocation. The bytes are zero when `fill` is called. Afterwards
    /// the colour of fully transparent pixels is set to zero, so `fill` need not do that.
    public init(
        _ size: PixelSize, hasAlpha: Bool, limits: DecodeLimits = .default,
        fill: (inout MutableSpan<UInt8>) throws -> Void
    ) throws {
        let storage = try PixelStorage(size, limits: limits)
        var pixels = unsafe MutableSpan(_unsafeElements: storage.bytes)
        try fill(&pixels)
        self.init(size, hasAlpha: hasAlpha, adopting: storage)
    }

    /// Creates a bitmap with the pixels that `write` writes. Unless it throws, it must write every pixel, because the
    /// memory may have the pixels of another bitmap.
    package static func uninitialized(
        _ size: PixelSize, hasAlpha: Bool, limits: DecodeLimits, _ write: (inout MutableSpan<UInt8>) throws -> Void
    ) throws -> Bitmap {
        let storage = try PixelStorage(size, limits: limits, isUninitialized: true)
        var pixels = unsafe MutableSpan(_unsafeElements: storage.bytes)
        try write(&pixels)
        return Bitmap(size, hasAlpha: hasAlpha, adopting: storage)
    }

    /// Creates a bitmap that owns `storage`, which must not be written to any more.
    package init(_ size: PixelSize, hasAlpha: Bool, adopting storage: PixelStorage) {
        if hasAlpha { storage.clearColorOfTransparentPixels() }
        self.size = size
        self.hasAlpha = hasAlpha
        self.storage = storage
    }

    /// Creates a bitmap that shares the pixels of `other` with another alpha flag.
    init(relabelling other: Bitmap, hasAlpha: Bool) {
        size = other.size
        self.hasAlpha = hasAlpha
        storage = other.storage
    }

    /// Returns a copy changed by `change`, which must not write colour under alpha 0.
    func copied(limits: DecodeLimits, _ change: (DrawablePixels) -> Void) throws -> Bitmap {
        let target = try PixelStorage(size, limits: limits, isUninitialized: true)
        _ = unsafe UnsafeMutableRawBufferPointer(target.bytes).copyMemory(from: UnsafeRawBufferPointer(storage.bytes))
        change(drawablePixels(of: target))
        return Bitmap(size, hasAlpha: hasAlpha, normalized: target)
    }

    /// Changes the pixels by `change`, which must not write colour under alpha 0, unless they are referenced elsewhere.
    /// Returns whether it was called.
    mutating func changeInPlace(_ change: (DrawablePixels) -> Void) -> Bool {
        guard isKnownUniquelyReferenced(&storage), !storage.isWeaklyHeld else { return false }
        storage.isAsStored = false
        change(drawablePixels(of: storage))
        return true
    }

    private func drawablePixels(of storage: PixelStorage) -> DrawablePixels {
        unsafe DrawablePixels(
            UnsafeMutableRawBufferPointer(storage.bytes).bindMemory(to: UInt32.self), width: size.width)
    }

    /// Creates a bitmap that owns `storage`, in which no colour is under alpha 0.
    init(_ size: PixelSize, hasAlpha: Bool, normalized storage: PixelStorage) {
        self.size = size
        self.hasAlpha = hasAlpha
        self.storage = storage
    }

    /// The memory of the pixels, for a weak reference. From now on it is never reused for other pixels.
    var weaklyHeldMemory: PixelStorage {
        storage.isWeaklyHeld = true
        return storage
    }

    /// Whether these are the pixels that a file stores: upright, at full size, and in the colours of the file.
    var isAsStored: Bool {
        get { storage.isAsStored }
        nonmutating set { storage.isAsStored = newValue }
    }

    /// The identity of the memory: equal for bitmaps that share their pixels.
    var identity: ObjectIdentifier { ObjectIdentifier(storage) }

    /// Calls `body` with the pixels in memory order, one word each.
    package func withWords<Result>(_ body: (UnsafeBufferPointer<UInt32>) throws -> Result) rethrows -> Result {
        try unsafe body(UnsafeBufferPointer(UnsafeMutableRawBufferPointer(storage.bytes).bindMemory(to: UInt32.self)))
    }

    /// Returns whether both bitmaps share the same memory.
    package func isIdentical(to other: Bitmap) -> Bool { storage === other.storage }

    /// Calls `body` with the pixels, four bytes each.
    ///
    /// They neither move nor change while a copy of this bitmap exists. So whoever keeps one may pass their address to a
    /// library that reads them later, such as a toolkit that uploads them to the screen.
    public func withPixels<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(unsafe Span(_unsafeElements: UnsafeBufferPointer(storage.bytes)))
    }

    /// Returns a bitmap of `size` whose pixels `move(from, to)` copies from this one.
    package func moved(
        to size: PixelSize,
        _ move: (_ from: UnsafeBufferPointer<UInt32>, _ to: UnsafeMutableBufferPointer<UInt32>) -> Void
    ) -> Bitmap {
        let target = PixelStorage(copyOf: size)
        let source = unsafe UnsafeMutableRawBufferPointer(storage.bytes).bindMemory(to: UInt32.self)
        unsafe move(
            UnsafeBufferPointer(source),
            UnsafeMutableRawBufferPointer(target.bytes).bindMemory(to: UInt32.self)
        )
        return Bitmap(size, hasAlpha: hasAlpha, adopting: target)
    }
}

extension Bitmap: Equatable {
    /// Returns whether size, alpha flag and all pixels are equal.
    public static func == (left: Bitmap, right: Bitmap) -> Bool {
        guard left.size == right.size, left.hasAlpha == right.hasAlpha else { return false }
        guard left.storage !== right.storage else { return true }
        return unsafe left.storage.bytes.elementsEqual(right.storage.bytes)
    }
}
