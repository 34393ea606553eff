public import DarkroomCore

/// The requirements on transformers. Each check throws a ``ContractViolation`` that describes the broken rule.
public struct TransformerContract: Sendable {
    let transformer: any ImageTransformer
    let context: ImageContext
    let subject: Subject

    /// Creates the contract of `transformer`, called with `context`.
    public init(_ transformer: any ImageTransformer, context: ImageContext = .init()) {
        self.transformer = transformer
        self.context = context
        subject = Subject(transformer)
    }

    /// Runs all checks.
    ///
    /// - Parameter others: Transformers with different results, such as the same type with other parameters.
    public func checkAll(others: [any ImageTransformer] = []) throws {
        try checkIdentifier(others: others)
        try checkRepeats()
        try checkShapes()
        try checkAlpha()
        try checkThumbnail()
        try checkSufficientThumbnail()
        try checkLargestSize()
        try checkFrames()
        try checkCancellation()
        try checkTime()
    }

    /// Checks that the identifier is valid in a key, does not change, and differs from those of `others`.
    public func checkIdentifier(others: [any ImageTransformer] = []) throws {
        let identifier = transformer.identifier
        try subject.require(!identifier.isEmpty, "its identifier is empty")
        try subject.require(
            !identifier.unicodeScalars.contains { $0.value < 32 || $0.value == 127 },
            "its identifier has control characters: \(identifier.debugDescription)")
        for _ in 0..<3 {
            let again = transformer.identifier
            try subject.require(again == identifier, "its identifier changes from \(identifier) to \(again)")
        }
        for other in others {
            try subject.require(
                other.identifier != identifier, "another transformer has the same identifier, \(identifier)")
        }
    }

    /// Checks that the transformer is deterministic, and changes neither its input nor earlier results.
    public func checkRepeats() throws {
        for hasAlpha in [false, true] {
            let bitmap = Bitmap.testCard(23, 17, hasAlpha: hasAlpha)
            let before = bitmap.copy
            let first = try result(for: bitmap)
            try subject.naming("a test card of 23×17 pixels\(hasAlpha ? " with alpha" : "")") {
                try subject.require(bitmap == before, "it changes its input")
                for _ in 0..<2 {
                    try subject.require(try result(for: before) == first, "equal inputs have different results")
                }
                let copy = first.copy
                _ = try result(for: .testCard(23, 17, hasAlpha: hasAlpha, number: 1))
                try subject.require(first == copy, "a later call changes an earlier result")
            }
        }
    }

    /// Checks that images of a single pixel, row or column, and long strips, give an image or throw an `ImageError`.
    public func checkShapes() throws {
        for (width, height) in [(1, 1), (1, 2), (2, 1), (1, 300), (300, 1), (2, 301), (64, 3)] {
            for hasAlpha in [false, true] {
                do {
                    let bitmap = try transformer.transform(.testCard(width, height, hasAlpha: hasAlpha), for: request)
                    try check(bitmap, from: "\(width)×\(height) pixels")
                } catch {
                    try requireImageError(error, "\(width)×\(height) pixels end in")
                }
            }
        }
    }

    /// Checks that a result without alpha is opaque.
    public func checkAlpha() throws {
        for hasAlpha in [false, true] {
            try check(try result(for: .testCard(31, 20, hasAlpha: hasAlpha)), from: "31×20 pixels")
        }
    }

    /// Checks that the size of a result is that of the thumbnail that can replace the transformer.
    public func checkThumbnail() throws {
        guard let thumbnail = transformer.decodingThumbnail else { return }
        for size in [PixelSize(40, 30), PixelSize(30, 40), PixelSize(1, 1), PixelSize(200, 2)] {
            let (actual, declared) = (
                try result(for: .testCard(size.width, size.height)).size, thumbnail.size(for: size)
            )
            try subject.require(
                actual == declared, "the result for \(size) is \(actual), but its thumbnail would be \(declared)")
        }
    }

    /// Checks that a result has at most the pixels of `largestSize(for:)`.
    public func checkLargestSize() throws {
        for size in [PixelSize(1, 1), PixelSize(40, 30), PixelSize(30, 40), PixelSize(1, 300), PixelSize(200, 2)] {
            guard let actual = try? transformer.transform(.testCard(size.width, size.height), for: request).size else {
                continue
            }
            let declared = transformer.largestSize(for: size)
            try subject.require(
                actual.pixelCount <= declared.pixelCount,
                "the result for \(size) is \(actual), which is larger than the declared \(declared)")
        }
    }

    /// Checks that the transformer resolved for the first frame returns for it what the transformer returns for a still, and
    /// that all frames have results of the same size.
    public func checkFrames() throws {
        try subject.naming("four frames of 24×18 pixels with alpha") { try checkResolvedFrames() }
    }

    private func checkResolvedFrames() throws {
        let cards = (0..<3).map { Bitmap.testCard(24, 18, hasAlpha: true, number: $0) }
        let frames = [cards[0].framed] + cards
        let resolved = try resolved(forFirstFrame: frames[0])
        let results = try frames.map { try resolved.transform($0, for: request) }
        try subject.require(
            try results[0] == result(for: frames[0]),
            "resolved for a first frame, it returns another result for that frame")
        for (index, result) in results.enumerated() {
            try subject.require(
                result.size == results[0].size,
                "the result for frame 0 is \(results[0].size), but \(result.size) for frame \(index)")
        }
        let inTurn = try frames.indices.reversed().map { try resolved.transform(frames[$0], for: request) }
        try subject.require(inTurn == results.reversed(), "the result for a frame depends on earlier frames")
    }

    /// Checks that a cancelled transformer throws an error for cancellation, unless there was nothing to do.
    public func checkCancellation() throws {
        try subject.naming("a test card of 64×64 pixels with alpha") { try checkCancelledTransform() }
    }

    private func checkCancelledTransform() throws {
        let flag = CancellationFlag()
        flag.set()
        let bitmap = Bitmap.testCard(64, 64, hasAlpha: true)
        do {
            let result = try transformer.transform(bitmap, for: TransformRequest(context: context, cancellation: flag))
            try subject.require(result == bitmap, "it ignores cancellation")
        } catch {
            if error is ContractViolation { throw error }
            try subject.require(error.isCancellation, "cancelled, it ends in another error: \(error)")
        }
    }

    /// Checks that exceeding the time limit ends in an `ImageError` of kind `overLimit`, unless there was nothing to do.
    public func checkTime() throws {
        try subject.naming("a test card of 64×64 pixels with alpha") { try checkTimeLimit() }
    }

    private func checkTimeLimit() throws {
        let bitmap = Bitmap.testCard(64, 64, hasAlpha: true)
        let request = TransformRequest(context: context, clock: WorkClock(limit: .seconds(0)))
        do {
            let result = try transformer.transform(bitmap, for: request)
            try subject.require(result == bitmap, "it ignores the time limit")
        } catch {
            if error is ContractViolation { throw error }
            let kind = (error as? ImageError)?.kind
            try subject.require(kind == .overLimit, "exceeding the time limit ends in another error: \(error)")
        }
    }

    private var request: TransformRequest { TransformRequest(context: context) }

    private func result(for bitmap: Bitmap) throws -> Bitmap {
        do {
            return try transformer.transform(bitmap, for: request)
        } catch {
            throw subject.violation("an image of \(bitmap.size) ends in \(error)")
        }
    }

    private func resolved(forFirstFrame bitmap: Bitmap) throws -> any ImageTransformer {
        do {
            return try transformer.resolved(forFirstFrame: bitmap, request: request)
        } catch {
            throw subject.violation("resolving for a first frame ends in \(error)")
        }
    }

    private func check(_ bitmap: Bitmap, from source: String) throws {
        try subject.require(
            bitmap.hasAlpha || bitmap.isOpaque, "the result for \(source) has no alpha, but transparent pixels")
    }

    private func requireImageError(_ error: any Error, _ what: String) throws {
        if error is ContractViolation { throw error }
        try subject.require(error.isProper, "\(what) an error that is not an ImageError: \(error)")
    }
}

extension Bitmap {
    /// A copy of the pixels in separate memory.
    var copy: Bitmap {
        let bytes = withPixels { pixels in pixels.indices.map { pixels[$0] } }
        do {
            return try Bitmap(size, hasAlpha: hasAlpha) { pixels in
                for index in pixels.indices { pixels[index] = bytes[index] }
            }
        } catch {
            preconditionFailure("\(error)")
        }
    }

    /// The image with a transparent border, so that there is something to trim.
    fileprivate var framed: Bitmap {
        let (size, bytes) = (size, withPixels { pixels in pixels.indices.map { pixels[$0] } })
        do {
            return try Bitmap(size, hasAlpha: true) { pixels in
                for index in pixels.indices {
                    let (x, y) = (index / 4 % size.width, index / 4 / size.width)
                    let isInside = (2..<(size.width - 3)).contains(x) && (1..<(size.height - 2)).contains(y)
                    pixels[index] = isInside ? (index % 4 == 3 ? 255 : bytes[index]) : 0
                }
            }
        } catch {
            preconditionFailure("\(error)")
        }
    }
}

extension Error {
    /// Whether a plug-in may throw this error: it is an `ImageError` whose kind is not `internal`.
    var isProper: Bool { (self as? ImageError).map { $0.kind != .internal } ?? false }

    /// Whether the error means that the caller has cancelled.
    var isCancellation: Bool { self is CancellationError || (self as? ImageError)?.kind == .cancelled }
}
