import DarkroomPlatform

/// The progressive decode of an image whose bytes are still arriving. It must be used by one thread at a time.
struct ProgressiveDecode {
    /// Reserves memory if it is available at once.
    typealias Reserve = (_ byteCount: Int) -> MemoryBudget.Reservation?

    let received: ReceivedBytes

    /// The coders and options of the decode, and its cancellation.
    struct Settings {
        let coders: CoderRegistry
        let context: ImageContext
        let reduction: Reduction?
        let cancellation: CancellationFlag
    }

    private struct Preview {
        let decoding: Decoding
        let reservation: MemoryBudget.Reservation
        var decoder: any FinishedPreviewDecoder
        var shownFrameCount = 1
        var nextAnimationByteCount = 0
    }

    private enum State {
        /// Waits for this many bytes before it tries to read the header again.
        case waiting(byteCount: Int)
        case decoding(Preview)
        /// The coder does not support previews, memory is short, or decoding failed. The ordinary decode reports any
        /// error.
        case over
    }

    private let settings: Settings
    private let clock: WorkClock
    private let reserve: Reserve
    private var state = State.waiting(byteCount: 1)
    private var consumed = 0

    init(_ received: ReceivedBytes, settings: Settings, reserve: @escaping Reserve) {
        self.received = received
        self.settings = settings
        clock = WorkClock(limit: settings.context.limits.workTime)
        self.reserve = reserve
    }

    /// Returns a preview of the bytes received so far, if it is better than the last one.
    mutating func preview() -> Image? { clock.run { nextPreview() } }

    private mutating func nextPreview() -> Image? {
        do {
            if case .waiting(let byteCount) = state, received.count >= byteCount { try start() }
            guard case .decoding(var preview) = state else { return nil }
            state = .over
            let image = try append(to: &preview)
            state = .decoding(preview)
            return image
        } catch {
            state = .over
            return nil
        }
    }

    /// Returns the final image; `nil` if the ordinary decode must make it.
    mutating func finish() throws -> ReservedImage? {
        var image = try clock.run { try completeImage() }
        image?.workTime = clock.timeSpent
        return image
    }

    private mutating func completeImage() throws -> ReservedImage? {
        guard case .decoding(var preview) = state else { return nil }
        state = .over
        let decoding = try decoding(of: received.all)
        // Metadata after the pixels may change the orientation, and thereby the target size.
        guard decoding.request.target == preview.decoding.request.target else { return nil }
        do {
            _ = try preview.decoder.append(received.bytes(from: consumed))
            var image = decoding.image(try preview.decoder.finish(decoding.request))
            let request = preview.decoding.request
            image.metadata.notes = request.notes + request.truncationNotes + image.metadata.notes
            image.metadata.isIncomplete = !request.truncationNotes.isEmpty
            return ReservedImage(image: image, reservation: preview.reservation)
        } catch let error as ImageError where error.isDataError {
            return nil
        }
    }

    private mutating func start() throws {
        let prefix = received.bytes(from: 0)
        do {
            let decoding = try decoding(of: prefix)
            guard decoding.isProgressive, let reservation = reserve(decoding.previewedByteCount),
                let decoder = try decoding.makeFinishedPreviews()
            else { return state = .over }
            state = .decoding(Preview(decoding: decoding, reservation: reservation, decoder: decoder))
        } catch let error as ImageError where [.incomplete, .noCoder].contains(error.kind) && prefix.count < 1 << 22 {
            // Retrying only when the bytes have doubled limits the total cost to twice that of reading the header once.
            state = .waiting(byteCount: prefix.count * 2)
        }
    }

    private mutating func append(to preview: inout Preview) throws -> Image? {
        let bytes = received.bytes(from: consumed)
        consumed += bytes.count
        let finished = try preview.decoder.append(bytes)
        if let animation = animationToShow(&preview) { return try animation.image(isPreview: true) }
        guard let finished, preview.shownFrameCount == 1 else { return nil }
        return preview.decoding.image(finished, isPreview: true)
    }

    private func decoding(of data: Data) throws -> Decoding {
        let source = InfoRequest(
            data: data, limits: settings.context.limits, cancellation: settings.cancellation, clock: clock)
        return try Decoding(
            source, coders: settings.coders, context: settings.context, reduction: settings.reduction)
    }

    /// Returns the decoding of the frames so far, if more are complete than were shown. The checks get rarer as the
    /// data grows, because each one copies all bytes.
    private func animationToShow(_ preview: inout Preview) -> Decoding? {
        let frameCount = preview.decoder.frameDurations.count
        guard frameCount > preview.shownFrameCount, consumed >= preview.nextAnimationByteCount,
            !settings.context.usesFirstFrameOnly
        else {
            return nil
        }
        preview.nextAnimationByteCount = consumed + consumed / 16
        guard let decoding = try? decoding(of: received.bytes(from: 0)),
            decoding.request.info.frameCount > preview.shownFrameCount
        else { return nil }
        preview.shownFrameCount = decoding.request.info.frameCount
        return decoding
    }
}
