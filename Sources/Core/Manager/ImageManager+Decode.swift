#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Synchronization

extension ImageManager {
    typealias DecodeFlight = SingleFlight<FlightKey, ReservedImage, Never>

    /// The image of `original` before any transformer, decoded once for all who want it at the same size.
    func decoded(
        _ original: Original, _ request: Request, _ run: ResultFlight.Run, _ trace: LoadTrace, _ previewer: Previewer?
    ) async throws -> Image {
        if let image = try await imageAtHand(original, request, run, trace, previewer) { return image }
        let decoded = try await decodes.value(
            for: request.decodeFlight(of: original), urgency: run.urgency
        ) { [self] run in
            try await decodeAlone(original, request, run)
        }
        trace.note { $0.stages += decoded.stages }
        trace.clock.add(secondsSpent: decoded.workSeconds)
        trace.hold(decoded.reservation)
        request.sharedDecode?.offer(decoded.image, original, of: request)
        return decoded.image
    }

    /// The image where its pixels are there already: from a loader, from the previews, or of another size.
    private func imageAtHand(
        _ original: Original, _ request: Request, _ run: ResultFlight.Run, _ trace: LoadTrace, _ previewer: Previewer?
    ) async throws -> Image? {
        let made = request.sharedDecode?.made
        if case .data = original.body, previewer == nil, made == nil { return nil }
        let atHand = try await trace.measure(.decode) {
            try await work(run.cancellation) { () -> ReservedImage? in
                var atHand = try previewer?.finish(original.received)
                trace.clock.add(secondsSpent: atHand?.workSeconds ?? 0)
                let monitor = WorkMonitor(cancellation: run.cancellation, clock: trace.clock, stage: .decode)
                return try trace.clock.run {
                    if case .image(let image) = original.body {
                        atHand = ReservedImage(image: try image.fitted(for: request.context, monitor.check))
                    } else if atHand == nil, let made {
                        atHand = ReservedImage(image: try made.image.shrunk(for: request.context, monitor.check))
                    }
                    if let image = atHand?.image {
                        atHand?.image = try image.preloaded(for: request.context, monitor.check)
                    }
                    return atHand
                }
            }
        }
        trace.hold(atHand?.reservation)
        return atHand?.image
    }

    private func decodeAlone(
        _ original: Original, _ request: Request, _ run: DecodeFlight.Run
    ) async throws -> ReservedImage {
        guard case .data(let data) = original.body else {
            throw ImageError(.internal, .decode, "there are no bytes to decode")
        }
        let trace = LoadTrace(request.context.limits)
        var decoded = try await decodeReserved(
            data, coders(for: request), request.context.unscaled, run.urgency, run.cancellation, trace)
        decoded.stages = trace.value.stages
        decoded.workSeconds = trace.clock.secondsSpent
        return decoded
    }
}

/// The decoded picture that several sizes of one call are made of.
final class SharedDecode: Sendable {
    private let base: FlightKey
    private let state = Mutex<(image: Image, original: Original)?>(nil)

    /// To be filled by the request that wants the largest size.
    init(base: Request) { self.base = base.resultFlight }

    /// The picture and the very original it was made of, once it is there.
    var made: (image: Image, original: Original)? { state.withLock { $0 } }

    /// Takes `image` if it was made for the base.
    func offer(_ image: Image, _ original: Original, of request: Request) {
        guard request.resultFlight == base else { return }
        state.withLock { $0 = (image, original) }
    }
}

extension ImageContext {
    /// Without the scale, which belongs to a caller and not to the run that callers share.
    fileprivate var unscaled: ImageContext {
        guard scale != nil else { return self }
        var context = self
        context.scale = nil
        return context
    }
}

extension Image {
    /// The image as decoding its original for `context` would have sized it.
    fileprivate func shrunk(for context: ImageContext, _ checkCancellation: () throws -> Void) throws -> Image {
        let target = context.deliveredSize(of: info)
        var metadata = metadata
        metadata.thumbnail = context.thumbnail
        return Image(
            info: info,
            bitmap: try bitmap.resized(to: target, limits: context.limits, checkCancellation: checkCancellation),
            animation: animation?.map { try $0.resized(to: target, limits: context.limits) }, metadata: metadata)
    }

    /// The image with all frames of its animation in memory, if `context` wants that of what is delivered anew.
    func preloaded(for context: ImageContext, _ checkCancellation: () throws -> Void) throws -> Image {
        guard context.preloadsFrames, let animation else { return self }
        try context.limits.check(decodedByteCount: bitmap.byteCount.multiplied(by: animation.frameCount))
        var frames: [Frame] = []
        var decoder = try animation.makeFrameDecoder()
        while let frame = try decoder.nextFrame() {
            try checkCancellation()
            frames.append(frame)
        }
        return Image(
            info: info, bitmap: bitmap, animation: Animation(frames: frames, loopCount: animation.loopCount),
            metadata: metadata)
    }
}
