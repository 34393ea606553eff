public import DarkroomCore
import DarkroomPlatform

/// A trial of one file that arrives in parts, at several sizes: what a preview decoder makes of it must be what the ordinary
/// decode makes of all its bytes, the same pixels or an error as well.
public struct GrowingFileTrial {
    private let registry: CoderRegistry
    private var context = ImageContext()

    /// Creates a trial of the coders in `registry`. The default limits are small.
    public init(_ registry: CoderRegistry, limits: DecodeLimits = .forTrials) {
        self.registry = registry
        context.limits = limits
    }

    /// Runs the trial with `bytes`. `chunk` returns the number of bytes for the preview decoder next, at least one.
    public func run(_ bytes: [UInt8], chunk: () -> Int) -> CoderTrial.Outcome {
        let data = Data(bytes)
        do {
            guard let coder = try registry.coder(for: data) as? any ProgressiveImageCoder else { return .rejected }
            let info = try coder.info(of: data)
            try context.limits.check(info)
            var outcome = CoderTrial.Outcome.accepted
            // Coders decode at fractions of the size, the last of which needs the fewest bytes.
            for divisor in [1, 3, 17] {
                let stored = info.storedSize
                let target = PixelSize(max(stored.width / divisor, 1), max(stored.height / divisor, 1))
                let request = DecodeRequest(data: data, info: info, target: target, context: context)
                let whole = Decoded { try coder.decode(request) }
                let fed = Decoded { try feed(data, to: coder, request, nextChunk: chunk) { try $0.finish() } }
                let part = Decoded { try feed(data, to: coder, request, nextChunk: chunk) { try $0.partialBitmap() } }
                for decoded in [whole, fed, part] where decoded.isFailure { return .failed("\(decoded)") }
                if whole.bitmap == nil { outcome = .rejected }
                guard whole.bitmap == fed.bitmap else {
                    return .uneven("at \(target), decoded at once: \(whole), in parts: \(fed)")
                }
            }
            return outcome
        } catch let error as ImageError {
            return error.kind == .internal ? .failed("\(error)") : .rejected
        } catch {
            return .failed("it throws \(type(of: error)): \(error)")
        }
    }

    /// Appends all of `data` to a preview decoder, and returns the result of `end`.
    private func feed(
        _ data: Data, to coder: any ProgressiveImageCoder, _ request: DecodeRequest, nextChunk chunk: () -> Int,
        _ end: (inout any PreviewDecoder) throws -> Bitmap?
    ) throws -> Bitmap? {
        var decoder = try coder.makePreviewDecoder(request)
        var position = data.startIndex
        while position < data.endIndex {
            let next = min(position + max(chunk(), 1), data.endIndex)
            // A copy: a decoder must not keep the address of a part.
            _ = try decoder.append(Data(data[position..<next]))
            position = next
        }
        return try end(&decoder)
    }
}

/// The result of a decode.
private struct Decoded: CustomStringConvertible {
    let bitmap: Bitmap?
    private let error: (any Error)?

    init(_ decode: () throws -> Bitmap?) {
        do {
            (bitmap, error) = (try decode(), nil)
        } catch {
            (bitmap, self.error) = (nil, error)
        }
    }

    /// Whether the error is not one that a file may cause.
    var isFailure: Bool {
        guard let error else { return false }
        return (error as? ImageError).map { $0.kind == .internal } ?? true
    }

    var description: String { error.map { "\($0)" } ?? (bitmap.map { "an image of \($0.size)" } ?? "nothing") }
}
