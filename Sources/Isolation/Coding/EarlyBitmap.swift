#if os(Linux)
    import DarkroomCore
    import DarkroomPlatform
    import Synchronization

    /// The bitmap that a worker has delivered with a header, until the decode takes it.
    final class EarlyBitmap: Sendable {
        private let content: Mutex<(bitmap: FinishedBitmap, remarks: Remarks)?>

        init(_ bitmap: FinishedBitmap, _ remarks: Remarks) { content = Mutex((bitmap, remarks)) }

        /// Returns the bitmap to the first caller, so that it is released with the image, and not only with the file.
        func take(for request: DecodeRequest) -> FinishedBitmap? {
            let delivered = content.withLock { $0.take() }
            // Otherwise the worker is asked again, and ends if it insists.
            guard let delivered, request.permits(delivered.bitmap.profile) else { return nil }
            delivered.remarks.add(to: request)
            return delivered.bitmap
        }
    }

    extension DecodeRequest {
        /// Whether pixels may be delivered with `profile`. The profile of a file can be anything, so it is delivered only if
        /// the request keeps it.
        func permits(_ profile: FinishedBitmap.Profile) -> Bool {
            switch profile {
            case .none: true
            case .ofFile: deliveredProfile != nil
            case .space(let space): space == context.colorSpace
            }
        }
    }

    /// The notes and the method of a decode.
    struct Remarks: Sendable {
        var notes: [String] = []
        var truncationNotes: [String] = []
        var method: String?

        /// Adds them to `request`, with the place of the decode.
        func add(to request: DecodeRequest) {
            for note in notes { request.note(note) }
            for note in truncationNotes { request.noteIncomplete(note) }
            request.reportMethod((method.map { "\($0), " } ?? "") + "in a worker process")
        }
    }

    extension MessageReader {
        /// Reads the bitmap that follows the header `info`, if there is one.
        mutating func earlyBitmap(
            _ info: ImageInfo, _ next: (context: ImageContext, byteCount: Int), _ call: Call, in worker: Worker
        ) throws -> EarlyBitmap? {
            guard try bool() else { return nil }
            // Before a size is computed from it.
            try next.context.limits.check(info)
            let bitmap = try bitmap(next.context.limits, call, in: worker) { size in
                size == next.context.deliveredSize(of: info) && size.byteCount ?? .max <= next.byteCount
            }
            return EarlyBitmap(bitmap, try remarks())
        }

        /// Reads the bitmap of `request`, with a profile that this permits.
        mutating func bitmap(
            _ request: DecodeRequest, _ call: Call, in worker: Worker, isExpected: (PixelSize) -> Bool
        ) throws -> FinishedBitmap {
            let finished = try bitmap(request.context.limits, call, in: worker, isExpected: isExpected)
            guard request.permits(finished.profile) else { throw MalformedMessage() }
            return finished
        }

        /// Reads a bitmap, and copies its pixels out of the output of `call`.
        mutating func bitmap(
            _ limits: DecodeLimits, _ call: Call, in worker: Worker, isExpected: (PixelSize) -> Bool
        ) throws -> FinishedBitmap {
            let (size, hasAlpha) = (try size(), try bool())
            guard isExpected(size), let byteCount = size.byteCount else { throw MalformedMessage() }
            var finished = try unsafe FinishedBitmap(
                worker.withOutput(of: call, count: byteCount) { source in
                    try Bitmap.uninitialized(size, hasAlpha: hasAlpha, limits: limits) { pixels in
                        unsafe pixels.withUnsafeMutableBytes { unsafe $0.copyMemory(from: source) }
                    }
                })
            finished.isConverted = try bool()
            finished.isAsDecoded = try bool()
            switch try string() {
            case "none": finished.profile = .none
            case "file": finished.profile = .ofFile
            case let name:
                guard let space = OutputColorSpace(rawValue: name) else { throw MalformedMessage() }
                finished.profile = .space(space)
            }
            return finished
        }

        /// Reads the notes and the method of a decode.
        mutating func remarks() throws(MalformedMessage) -> Remarks {
            let sentence = { (reader: inout MessageReader) throws(MalformedMessage) -> String in try reader.sentence() }
            let limit = DecodeRequest.noteLimit
            return Remarks(
                notes: try list(byteCount: 8, limit: limit, sentence),
                truncationNotes: try list(byteCount: 8, limit: limit, sentence), method: try optional(sentence))
        }
    }
#endif
