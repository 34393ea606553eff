public import DarkroomCore
import DarkroomPlatform

/// A trial of one file with all operations of coders: header, pixels, thumbnail, frames, previews.
public struct CoderTrial {
    /// The outcome of a trial.
    public enum Outcome: Equatable, Sendable {
        /// The file is an image.
        case accepted
        /// The file was rejected with an `ImageError`.
        case rejected
        /// The file is an image, but progressive decoding ends in another one. The sentence describes the difference.
        case uneven(String)
        /// The coder broke a rule, which the sentence describes.
        case failed(String)
    }

    private let registry: CoderRegistry
    private var context = ImageContext()

    /// Creates a trial of the coders in `registry`. The default limits are small.
    public init(_ registry: CoderRegistry, limits: DecodeLimits = .forTrials) {
        self.registry = registry
        context.limits = limits
    }

    /// Runs the trial with `bytes`. `chunk` returns the number of bytes for the preview decoder next, at least one.
    public func run(_ bytes: [UInt8], chunk: () -> Int) -> Outcome {
        let data = Data(bytes)
        do {
            _ = try registry.info(of: data)
            let image = try registry.decode(data, context: context)
            var small = context
            small.thumbnail = .fit(9, 7)
            _ = try registry.decode(data, context: small)
            try play(image)
            return try unevenness(of: data, nextChunk: chunk).map { .uneven($0) } ?? .accepted
        } catch let failure as TrialFailure {
            return .failed(failure.sentence)
        } catch let error as ImageError {
            // Progressive decoding of a broken file must not crash either.
            for feed in Feed.allCases where error.kind != .internal {
                _ = try? lastPreview(of: data, feed, nextChunk: chunk)
            }
            return error.kind == .internal ? .failed("\(error)") : .rejected
        } catch {
            return .failed("it throws \(type(of: error)): \(error)")
        }
    }

    private func play(_ image: Image) throws {
        guard let animation = image.animation else { return }
        var decoder = try animation.makeFrameDecoder()
        for index in [0, 1, 2, animation.frameCount - 1, animation.frameCount / 2] where index < animation.frameCount {
            _ = try decoder.seek(to: index)
            do {
                let frame = try decoder.nextFrame()
                if let frame, frame.bitmap.size != image.size {
                    throw TrialFailure("frame \(index) has another size than the image")
                }
            } catch let error as ImageError where error.kind != .internal {
                continue
            }
        }
    }

    /// Returns how the result of progressive decoding differs from ordinary decoding; `nil` if it does not.
    private func unevenness(of data: Data, nextChunk chunk: () -> Int) throws -> String? {
        for feed in Feed.allCases {
            do {
                guard let (last, request) = try lastPreview(of: data, feed, nextChunk: chunk) else { continue }
                let coder = try registry.coder(for: data)
                guard try coder.decode(request) == last else { return "the last preview \(feed) is another image" }
            } catch let error as ImageError where error.kind != .internal {
                return "the last preview \(feed) is an error: \(error)"
            }
        }
        return nil
    }

    /// The ways to create a preview decoder.
    private enum Feed: String, CaseIterable, CustomStringConvertible {
        /// From the whole file, at the stored size.
        case whole = "from the whole file"
        /// From the shortest prefix that contains the header, as during a transfer.
        case prefix = "from the start of the file"
        /// From the whole file, at a third of its size.
        case small = "at a third of the size"

        var description: String { rawValue }
    }

    /// Returns the last preview, and the request for ordinary decoding of the same image; `nil` if the coder makes none.
    private func lastPreview(
        of data: Data, _ feed: Feed, nextChunk chunk: () -> Int
    ) throws -> (Bitmap, DecodeRequest)? {
        guard let coder = try registry.coder(for: data) as? any ProgressiveImageCoder else { return nil }
        let whole = try coder.info(of: data)
        try context.limits.check(whole)
        let stored = whole.storedSize
        let target = feed == .small ? PixelSize(max(stored.width / 3, 1), max(stored.height / 3, 1)) : stored
        let (start, info) = feed == .prefix ? try headerPrefix(of: data, coder, nextChunk: chunk) : (data, whole)
        guard info.storedSize == stored else { return nil }
        var decoder = try coder.makePreviewDecoder(
            DecodeRequest(data: start, info: info, target: target, context: context))
        var position = data.startIndex
        while position < data.endIndex {
            let end = min(position + max(chunk(), 1), data.endIndex)
            if let bitmap = try decoder.append(data[position..<end]), bitmap.size.width > stored.width {
                throw TrialFailure("a preview is larger than the image")
            }
            guard decoder.frameDurations.count != 1 else { throw TrialFailure("an animation has one frame") }
            position = end
        }
        return (try decoder.finish(), DecodeRequest(data: data, info: whole, target: target, context: context))
    }

    /// Returns the shortest prefix tried that contains the header, and the header.
    private func headerPrefix(
        of data: Data, _ coder: any ImageCoder, nextChunk chunk: () -> Int
    ) throws -> (Data, ImageInfo) {
        var count = 0
        while true {
            count = min(count + max(chunk(), 1), data.count)
            let start = data.prefix(count)
            do {
                let info = try coder.info(of: start)
                try context.limits.check(info)
                return (start, info)
            } catch let error as ImageError where error.kind == .incomplete && count < data.count {
                continue
            }
        }
    }
}

private struct TrialFailure: Error {
    let sentence: String

    init(_ sentence: String) { self.sentence = sentence }
}

extension DecodeLimits {
    /// Limits with which a trial takes little time and memory for any file: 2^18 pixels and one second.
    public static var forTrials: DecodeLimits {
        var limits = DecodeLimits()
        limits.pixelCount = 1 << 18
        limits.decodedByteCount = 16 << 20
        limits.metadataByteCount = 1 << 20
        limits.workTime = .seconds(1)
        return limits
    }
}
