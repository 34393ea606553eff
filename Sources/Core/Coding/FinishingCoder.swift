package import DarkroomPlatform

/// A coder that delivers finished bitmaps, because another process does the work of `base`. Nothing that depends on the file,
/// such as the conversion of its colours, is then left to do in this one.
package protocol FinishingCoder: ImageCoder {
    /// The coder that works elsewhere.
    var base: any ImageCoder { get }

    /// Returns the finished first frame. Notes and the method are those of `request`.
    func decodeFinished(_ request: DecodeRequest) throws -> FinishedBitmap

    /// Returns a decoder of finished frames. It need not decode the first one while `firstFrame` returns it.
    func makeFinishedFrames(
        _ request: DecodeRequest, firstFrame: @escaping @Sendable () -> Bitmap?
    ) throws -> any FrameDecoder

    /// Returns a decoder of finished previews.
    func makeFinishedPreviews(_ request: DecodeRequest) throws -> any FinishedPreviewDecoder
}

/// A progressive decoder of one file, whose previews are finished.
package protocol FinishedPreviewDecoder {
    /// Appends the bytes that have arrived since the last call. Returns a preview if there is a better one.
    mutating func append(_ bytes: Data) throws -> FinishedBitmap?

    /// Returns the final image after all bytes were appended. `request` has their header, and the same target.
    mutating func finish(_ request: DecodeRequest) throws -> FinishedBitmap

    /// The durations of the complete frames so far.
    var frameDurations: [Duration] { get }
}

/// A preview decoder that finishes what a coder in this process returns.
struct FinishingPreviewDecoder: FinishedPreviewDecoder {
    private var base: any PreviewDecoder
    private var finisher: BitmapFinisher
    private let request: DecodeRequest

    init(_ base: any PreviewDecoder, request: DecodeRequest) {
        self.base = base
        self.request = request
        finisher = request.makeFinisher()
    }

    mutating func append(_ bytes: Data) throws -> FinishedBitmap? {
        guard let bitmap = try base.append(bytes) else { return nil }
        return request.finished(try finisher.finish(bitmap), by: finisher)
    }

    mutating func finish(_ request: DecodeRequest) throws -> FinishedBitmap {
        let bitmap = try base.finish()
        if self.request.isConvertedByCoder { request.noteConversion() }
        var finisher = request.makeFinisher()
        return request.finished(try finisher.finish(bitmap), by: finisher)
    }

    var frameDurations: [Duration] { base.frameDurations }
}
