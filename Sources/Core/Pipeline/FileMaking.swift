import DarkroomPlatform
import Synchronization

/// The making of a file from an image: a copy of its original, if nothing was changed, or else an encoded one.
struct FileMaking {
    let image: Image
    /// The file from which the image was made, if it is at hand.
    let original: Data?
    let context: ImageContext
    let coders: CoderRegistry
    let scope: WorkScope
    private let damage = FrameDamage()

    /// Returns the file and its format, and the quality that was chosen for it.
    ///
    /// A picture whose pixels did not change is encoded again only if options ask for it, and to a quality only if that is
    /// smaller: the quality of the original is then reached anyway.
    func file() throws -> (Data, ImageFormat, ChosenQuality?) {
        let format = try ImageError.wrap(.encode) { try context.encodedFormat.format(for: image, coders: coders) }
        let copy = try copy(in: format)
        if let copy, !context.setsQuality { return (copy, format, nil) }
        let (data, quality) = try coders.file(
            of: image.noting(damage), as: format, context: context, cancellation: scope.cancellation,
            clock: scope.clock)
        if let copy, copy.count <= data.count { return (copy, format, nil) }
        return (data, format, quality)
    }

    /// Returns the notes on `file`: on the defects of its source, and why it is larger than that, if it is.
    func notes(on file: Data, in format: ImageFormat) -> [String] {
        let known = image.metadata.notes
        return known + damage.notes.filter { !known.contains($0) } + sizeNotes(on: file, in: format)
    }

    private func sizeNotes(on file: Data, in format: ImageFormat) -> [String] {
        guard let original, file.count > original.count else { return [] }
        let source = image.info
        let size = context.encodedSize(of: image)
        let reason =
            if format != source.format {
                "its format is \(format) instead of \(source.format)"
            } else if size.width > source.size.width || size.height > source.size.height {
                "it has \(size) pixels instead of \(source.size)"
            } else if context.setsQuality || context.setsEncoderOption {
                "options of encoding ask for that"
            } else {
                "its pixels are not those of the source, which was encoded with a lower quality"
            }
        return ["the file has \(file.count) bytes, its source only \(original.count): \(reason)"]
    }

    /// Returns the original without the metadata that the context does not keep; `nil` if the file must be encoded.
    private func copy(in format: ImageFormat) throws -> Data? {
        guard let original, allowsCopy(of: original, in: format), let coder = coders.encoder(for: format) else {
            return nil
        }
        let copy = context.keptMetadata == .all ? original : try selected(original, by: coder)
        let bound = min(context.limits.outputByteCount, context.encodedByteLimit ?? .max)
        return copy.flatMap { $0.count <= bound ? $0 : nil }
    }

    /// Returns `file` with the kept kinds of metadata only; `nil` if the coder cannot.
    private func selected(_ file: Data, by coder: any EncodingImageCoder) throws -> Data? {
        let request = EncodeRequest(
            image: image, format: image.info.format, context: context, cancellation: scope.cancellation,
            clock: scope.clock)
        if let coder = coder as? any HostedEncoder { return try coder.selectMetadata(of: file, for: request) }
        return try coder.file(file, selectingMetadataFor: request)
    }

    private func allowsCopy(of original: Data, in format: ImageFormat) -> Bool {
        image.bitmap.isAsStored && !image.metadata.isTransformed && image.info.format == format
            && format.matches(original) && !context.setsEncoderOption && context.encodedSize(of: image) == image.size
            && (image.animation == nil || !context.usesFirstFrameOnly)
    }
}

/// The damage of the frames that are decoded, several times perhaps, while an animation is encoded.
private final class FrameDamage: Sendable {
    private let state = Mutex<[String]>([])

    /// A sentence for each damaged frame, and for no more than `Animation.damageNoteLimit`.
    var notes: [String] { state.withLock(\.self) }

    func note(_ frame: Frame) {
        guard let sentence = frame.damage else { return }
        state.withLock { notes in
            if notes.count < Animation.damageNoteLimit, !notes.contains(sentence) { notes.append(sentence) }
        }
    }
}

extension Image {
    /// Returns the same image, whose frames add to `damage` when they are decoded.
    fileprivate func noting(_ damage: FrameDamage) -> Image {
        guard let animation else { return self }
        return Image(info: info, bitmap: bitmap, animation: animation.mapFrames { damage.note($0) }, metadata: metadata)
    }
}
