public import DarkroomCore
public import DarkroomPlatform

extension CoderContract {
    /// Runs all checks with one complete file. They decode it some thousand times, so it should be small.
    ///
    /// If the coder traps, and takes the process with it, the input under trial is printed first: `name`, and what was done
    /// to the file. Violations name it as well; without a `name`, they state its length.
    public func checkFile(_ data: Data, named name: String? = nil) throws {
        try naming(name ?? inputName(data)).checkFile(data)
    }

    private func checkFile(_ data: Data) throws {
        try subject.trying(inputName(data)) {
            try checkSignature(data)
            try checkInfo(data)
            try checkSpeed(data)
            try checkRepeats(data)
            try checkLimits(data)
            try checkTargets(data)
            try checkCancellation(data)
            try checkPrefixes(data, countLimit: 4_096)
            try checkFlips(data)
            try checkJunk(afterStartOf: data)
            if coder is any AnimatedImageCoder { try checkFrames(data) }
            for byteCount in [max(data.count / 40, 1), data.count / 3 + 1, data.count] {
                try checkPreviews(data, chunkByteCount: byteCount)
            }
        }
    }

    /// Checks that a file decodes to the pixels of `reference`, made by another program, with a channel difference of at most
    /// `tolerance`.
    ///
    /// Only a reference reveals swapped sides, swapped channels, and alpha that neither the header nor the pixels have.
    public func checkPixels(of data: Data, equal reference: Bitmap, tolerance: Int = 0) throws {
        try running(on: data) {
            let bitmap = try registry.decode(data).bitmap
            let difference = bitmap.firstDifference(from: reference, tolerance: tolerance)
            try require(difference == nil, "the decoded image differs from the reference: \(difference, default: "")")
        }
    }

    /// Checks that equal bytes have equal headers and pixels, also as slices of a `Data`.
    public func checkRepeats(_ data: Data) throws {
        try running(on: data) {
            let (info, other) = (try coder.info(of: data), try coder.info(of: data.offset))
            try require(info == other, "equal bytes have different headers")
            let first = try coder.decode(DecodeRequest(data: data, info: info))
            try require(
                try coder.decode(DecodeRequest(data: data.offset, info: info)) == first,
                "equal bytes decode differently")
        }
    }

    /// Checks that cancelled decoding ends in an `ImageError` of kind `cancelled`, whatever the height of the image: a
    /// coder calls `request.checkCancellation()` at least once before it returns an image.
    public func checkCancellation(_ data: Data) throws {
        try on(data) { try checkCancelledDecoding(of: data) }
    }

    private func checkCancelledDecoding(of data: Data) throws {
        let info = try info(of: data)
        let flag = CancellationFlag()
        flag.set()
        for target in Self.targets(of: info) {
            do {
                _ = try coder.decode(DecodeRequest(data: data, info: info, target: target, cancellation: flag))
            } catch {
                try require(error.isCancellation, "cancelled decoding ends in another error: \(error)")
                continue
            }
            try require(false, "decoding at \(target) ignores cancellation")
        }
    }

    /// Checks that a file with one flipped bit ends in an `ImageError` or an image, for `count` bits, most of them in its
    /// header.
    public func checkFlips(_ data: Data, count: Int = 250) throws {
        guard !data.isEmpty else { return }
        let stored = try info(of: data).storedSize
        var context = ImageContext()
        // A corrupt header may declare a huge size. Larger ones are refused, which is correct and fast.
        context.limits.pixelCount = max(4 * stored.width * stored.height, 1 << 16)
        context.limits.decodedByteCount = context.limits.pixelCount * 16
        var random = SeededGenerator(seed: UInt64(data.count))
        for round in 0..<count {
            var bytes = [UInt8](data)
            let place = Int.random(in: 0..<(round % 3 == 0 ? bytes.count : min(bytes.count, 100)), using: &random)
            let bit = Int.random(in: 0..<8, using: &random)
            bytes[place] ^= 1 << UInt8(bit)
            do {
                _ = try subject.trying("with bit \(bit) of byte \(place) flipped") {
                    try registry.decode(Data(bytes), context: context)
                }
            } catch {
                try on(data) {
                    try require(
                        (error as? ImageError)?.kind != .internal,
                        "with bit \(bit) of byte \(place) flipped, it ends in an error that is not an ImageError: \(error)"
                    )
                }
            }
        }
    }
}

extension Data {
    /// The same bytes, as a slice whose indices start at 3.
    var offset: Data { (Data([1, 2, 3]) + self).dropFirst(3) }
}
