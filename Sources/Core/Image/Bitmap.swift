/// One frame: 8-bit RGBA, straight alpha, upright, rows packed from the top. Colour under alpha 0 is zero.
public struct Bitmap: Sendable {
    /// Columns and rows; both positive.
    public let size: PixelSize

    /// Whether the pixel format has alpha. An opaque bitmap's alpha bytes are all 255.
    public let hasAlpha: Bool

    private var storage: PixelStorage

    /// How many bytes the pixels take.
    public var byteCount: Int { storage.byteCount }

    /// A bitmap whose pixels `fill` writes.
    ///
    /// `size` is checked against `limits` before anything is allocated. The bytes are zero when `fill` gets them,
    /// and afterwards the colour of wholly transparent pixels is set to zero, so that `fill` need not care.
    public init(
        _ size: PixelSize, hasAlpha: Bool, limits: DecodeLimits = .default,
        fill: (inout MutableSpan<UInt8>) throws -> Void
    ) throws {
        let storage = try PixelStorage(size, limits: limits)
        var pixels = unsafe MutableSpan(_unsafeElements: storage.bytes)
        try fill(&pixels)
        self.init(size, hasAlpha: hasAlpha, adopting: storage)
    }

    /// A bitmap whose pixels `write` writes, every one unless it throws: the bytes it gets may be those of another bitmap.
    package static func overwritten(
        _ size: PixelSize, hasAlpha: Bool, limits: DecodeLimits, _ write: (inout MutableSpan<UInt8>) throws -> Void
    ) throws -> Bitmap {
        let storage = try PixelStorage(size, limits: limits, isOverwritten: true)
        var pixels = unsafe MutableSpan(_unsafeElements: storage.bytes)
        try write(&pixels)
        return Bitmap(size, hasAlpha: hasAlpha, adopting: storage)
    }

    /// Takes over `storage`, which nobody writes to from here on.
    package init(_ size: PixelSize, hasAlpha: Bool, adopting storage: PixelStorage) {
        if hasAlpha { storage.clearColorOfTransparentPixels() }
        self.size = size
        self.hasAlpha = hasAlpha
        self.storage = storage
    }

    /// The pixels of `other` under another alpha flag.
    init(relabelling other: Bitmap, hasAlpha: Bool) {
        size = other.size
        self.hasAlpha = hasAlpha
        storage = other.storage
    }

    /// A copy that `change` has altered; it writes no colour under alpha 0.
    ///
    /// It takes the memory of `spare` when nobody else has that; `spare` is `nil` afterwards.
    func copied(
        into spare: inout Bitmap?, _ limits: DecodeLimits, _ change: (UnsafeMutableBufferPointer<UInt32>) throws -> Void
    ) throws -> Bitmap {
        let target = try Self.memory(of: &spare, for: size) ?? PixelStorage(size, limits: limits, isOverwritten: true)
        _ = unsafe UnsafeMutableRawBufferPointer(target.bytes).copyMemory(from: UnsafeRawBufferPointer(storage.bytes))
        unsafe try change(UnsafeMutableRawBufferPointer(target.bytes).bindMemory(to: UInt32.self))
        return Bitmap(size, hasAlpha: hasAlpha, normalized: target)
    }

    private static func memory(of spare: inout Bitmap?, for size: PixelSize) -> PixelStorage? {
        guard var bitmap = spare.take(), bitmap.size == size, isKnownUniquelyReferenced(&bitmap.storage),
            !bitmap.storage.isWeaklyHeld
        else { return nil }
        return bitmap.storage
    }

    /// Takes over `storage`, in which no colour is under alpha 0.
    init(_ size: PixelSize, hasAlpha: Bool, normalized storage: PixelStorage) {
        self.size = size
        self.hasAlpha = hasAlpha
        self.storage = storage
    }

    /// The memory of the pixels, for a weak reference; it is never written to again.
    var weaklyHeldMemory: PixelStorage {
        storage.isWeaklyHeld = true
        return storage
    }

    /// Where the pixels are: equal for bitmaps that share them.
    var identity: ObjectIdentifier { ObjectIdentifier(storage) }

    /// Lends the pixels as they lie in memory, one word each.
    package func withWords<Result>(_ body: (UnsafeBufferPointer<UInt32>) throws -> Result) rethrows -> Result {
        try unsafe body(UnsafeBufferPointer(UnsafeMutableRawBufferPointer(storage.bytes).bindMemory(to: UInt32.self)))
    }

    /// Whether both are one and the same memory.
    package func isIdentical(to other: Bitmap) -> Bool { storage === other.storage }

    /// Lends the pixels, four bytes each, to `body`.
    public func withPixels<Result: ~Copyable, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(unsafe Span(_unsafeElements: UnsafeBufferPointer(storage.bytes)))
    }

    /// A bitmap of `size` to which `move(from, to)` copies whole pixels of this one.
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
    /// Whether size, alpha flag and all pixels are equal.
    public static func == (left: Bitmap, right: Bitmap) -> Bool {
        guard left.size == right.size, left.hasAlpha == right.hasAlpha else { return false }
        guard left.storage !== right.storage else { return true }
        return unsafe left.storage.bytes.elementsEqual(right.storage.bytes)
    }
}
