public import DarkroomPlatform
import Synchronization

/// A request to decode an image. It is a struct, so that a new field breaks no plug-in.
public struct DecodeRequest: Sendable {
    /// The encoded bytes.
    public let data: Data

    /// The header, as `info(of:)` returned it.
    public let info: ImageInfo

    /// The target size, in stored orientation. A coder returns at least this many pixels, and fewer than the stored
    /// ones where that is cheap.
    public let target: PixelSize

    /// Whether the target has at least twice as many pixels per side as the result, because a transformer scales the image
    /// down further. A coder that decodes at a fraction of the size then needs no more pixels than those of the target.
    public let hasOversampledTarget: Bool

    /// The options of the load.
    public let context: ImageContext

    /// The converter to sRGB; `nil` if no colour engine is installed, so that pixels are delivered unconverted.
    public let colorConverter: (any ColorConverter)?

    /// The reasons to stop early.
    package let monitor: WorkMonitor
    private let parsed: OutlineStorage
    private let collected: DecodeNotes
    private let truncation: DecodeNotes

    /// Creates a request for `data`. A target of `nil` requests the stored size. Without a `clock`, a new one starts
    /// now.
    public init(
        data: Data, info: ImageInfo, target: PixelSize? = nil, context: ImageContext = .init(),
        colorConverter: (any ColorConverter)? = nil, cancellation: CancellationFlag? = nil, clock: WorkClock? = nil
    ) {
        let header = InfoRequest(data: data, limits: context.limits, cancellation: cancellation, clock: clock)
        self.init(header, info: info, target: target, context: context, colorConverter: colorConverter)
    }

    /// Creates a request for the image whose header a coder has read as `info` for the request `header`.
    init(
        _ header: InfoRequest, info: ImageInfo, target: PixelSize?, isOversampled: Bool = false, context: ImageContext,
        colorConverter: (any ColorConverter)?
    ) {
        data = header.data
        self.info = info
        self.target = target ?? info.storedSize
        hasOversampledTarget = isOversampled
        self.context = context
        self.colorConverter = colorConverter
        monitor = header.monitor
        parsed = header.outline
        (collected, truncation) = (DecodeNotes(), DecodeNotes())
    }

    /// Creates a request for `data`, an image in the file of `other`.
    private init(_ data: Data, info: ImageInfo, in other: DecodeRequest) {
        self.data = data
        self.info = info
        (target, hasOversampledTarget) = (info.storedSize, false)
        (context, colorConverter, monitor) = (other.context, other.colorConverter, other.monitor)
        parsed = OutlineStorage()
        (collected, truncation) = (other.collected, other.truncation)
    }

    /// Whether pixels are blended in linear light. A coder that resizes rows passes it to its ``RowResampler``.
    public var resizesInLinearLight: Bool { context.thumbnail?.inLinearLight ?? false }

    /// The upright size of the decoded image.
    package var deliveredSize: PixelSize {
        hasOversampledTarget ? info.orientation.applied(to: target) : context.deliveredSize(of: info)
    }

    /// Throws if the load was cancelled or has exceeded its time. Call it once a row, frame or scan.
    public func checkCancellation() throws { try monitor.check() }

    /// Whether to stop, for callbacks of C code. `checkCancellation()` then throws the reason.
    public var isCancelled: Bool { monitor.isOver }

    /// Returns the outline that `info(of:)` cached for these bytes, or else the result of `parse`.
    ///
    /// A request that was not created from a header request has no cached outline.
    public func outline<Outline: Sendable>(_ parse: (InfoRequest) throws -> Outline) rethrows -> Outline {
        // The cast takes longer than a lock should be held.
        let cached = parsed.value.withLock { $0 }
        if let outline = cached as? Outline { return outline }
        return try parse(headerRequest(of: data))
    }

    /// Returns a request for the header of `data`, with the limits, the cancellation and the clock of this one.
    public func headerRequest(of data: Data) -> InfoRequest {
        var request = InfoRequest(data: data, limits: context.limits, monitor: monitor)
        request.acceptsIncomplete = context.acceptsIncomplete
        return request
    }

    /// Returns a request to another coder for an image in this file, such as a PNG in an icon, at its stored size.
    ///
    /// It has the context, the cancellation and the clock of this request, and its notes become those of this one. `info` is
    /// what the other coder returned for `headerRequest(of: data)`.
    public func embedded(_ data: Data, info: ImageInfo) -> DecodeRequest { DecodeRequest(data, info: info, in: self) }

    /// Adds a sentence about a problem that could be ignored, such as an invalid profile, to the metadata of the image.
    ///
    /// It begins in lowercase and has no full stop.
    public func note(_ sentence: String) { collected.add(sentence) }

    /// Marks the image as incomplete, because the file is truncated but can be decoded in part, and adds a sentence
    /// about it to the metadata of the image. In a decoder of frames, the sentence becomes the damage of the frame.
    ///
    /// It begins in lowercase and has no full stop.
    public func noteIncomplete(_ sentence: String) { truncation.add(sentence) }

    /// Sets the detail of the decode stage in the report of the load: the decoder, if the coder has several, and the
    /// scale at which it decodes. It does not become part of the image.
    public func reportMethod(_ method: String) { collected.set(method: method) }

    /// The most sentences of either kind that are kept. A file has a few, each of which is compared with all others.
    package static let noteLimit = 64

    /// The method that the coder has reported.
    package var method: String? { collected.method }

    /// The notes so far.
    package var notes: [String] { collected.all }

    /// The sentences about truncation so far; empty for a complete image.
    package var truncationNotes: [String] { truncation.all }

    /// Removes the sentences about truncation, before another frame is decoded.
    package func removeTruncationNotes() { truncation.removeAll() }

    /// The space to which pixels are converted: that of the context if sRGB is not enough for this image.
    package var outputColorSpace: OutputColorSpace {
        let space = context.colorSpace
        guard space != .sRGB, info.colorModel == .cmyk || convertsInCore else { return .sRGB }
        return colorConverter?.hasWideColors(info) == true ? space : .sRGB
    }

    /// Returns a conversion of rows to sRGB, or to the `colorSpace` of the context; `nil` if they need none.
    ///
    /// Only a coder of CMYK images calls it. Core converts rows of grey and RGB with 8 bits itself.
    public func makeRowConversion() -> (any RowConversion)? {
        do {
            return try colorConverter?.makeRowConversion(for: info, to: outputColorSpace)
        } catch {
            note("the colour profile is ignored: \((error as? ImageError)?.message ?? "\(error)")")
            return nil
        }
    }

    /// Returns a conversion of rows with more than 8 bits per channel, for a coder that then converts all rows of the
    /// image or its frames itself, before it reduces them to 8 bits. `nil` if they need none.
    ///
    /// Core converts the rows of all other coders, whose pixels have 8 bits.
    public func makeDeepRowConversion() -> (any RowConversion)? {
        guard convertsInCore, let conversion = makeRowConversion() else { return nil }
        noteConversion()
        return conversion
    }

    /// Records that the coder converts the rows.
    func noteConversion() { collected.setConverted() }

    /// Whether the coder converts the rows, so that Core must not.
    var isConvertedByCoder: Bool { collected.isConverted }

    /// The same request for frames decoded long after the load, whose cancellation and clock do not apply to them.
    package var forFrames: DecodeRequest {
        var header = InfoRequest(data: data, limits: context.limits)
        header.outline = parsed
        return DecodeRequest(
            header, info: info, target: target, isOversampled: hasOversampledTarget, context: context,
            colorConverter: colorConverter)
    }

    /// Restarts the clock, because each frame has its own time.
    package func restartClock() { monitor.clock.restart() }
}

private final class DecodeNotes: Sendable {
    private let state = Mutex<(notes: [String], method: String?, isConverted: Bool)>(([], nil, false))

    var all: [String] { state.withLock { $0.notes } }

    var method: String? { state.withLock { $0.method } }

    var isConverted: Bool { state.withLock { $0.isConverted } }

    func add(_ note: String) {
        state.withLock {
            if $0.notes.count < DecodeRequest.noteLimit, !$0.notes.contains(note) { $0.notes.append(note) }
        }
    }

    func removeAll() { state.withLock { $0.notes = [] } }

    func set(method: String) { state.withLock { $0.method = method } }

    func setConverted() { state.withLock { $0.isConverted = true } }
}
