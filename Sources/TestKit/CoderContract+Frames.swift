public import DarkroomCore
public import DarkroomPlatform

extension CoderContract {
    /// Checks that an animation has the frames that its header declares, each equal whenever and in any order.
    public func checkFrames(_ data: Data) throws {
        try running(on: data) {
            let image = try registry.decode(data)
            guard let animation = image.animation else {
                return try require(
                    image.info.frameCount == 1,
                    "the header declares \(image.info.frameCount) frames, but the image is not an animation")
            }
            let frames = try animation.frames()
            try require(
                frames.map(\.duration) == image.info.frameDurations, "header and frames disagree about durations")
            try require(frames[0].bitmap == image.bitmap, "the first frame differs from the decoded image")
            try require(
                frames.allSatisfy { $0.bitmap.size == image.size && $0.bitmap.hasAlpha == image.info.hasAlpha },
                "frames differ in size or alpha")
            try require(try animation.frames().map(\.bitmap) == frames.map(\.bitmap), "frames played twice differ")
            var decoder = try animation.makeFrameDecoder()
            for index in frames.indices.reversed() + frames.indices.filter({ $0 % 3 == 1 }) {
                _ = try decoder.seek(to: index)
                try require(
                    try decoder.nextFrame()?.bitmap == frames[index].bitmap,
                    "frame \(index) differs when decoded out of order")
            }
        }
    }

    /// Checks that progressive decoding in chunks of `chunkByteCount` bytes ends in the image of ordinary decoding, at any
    /// size.
    public func checkPreviews(_ data: Data, chunkByteCount: Int) throws {
        try running(on: data) {
            guard let coder = coder as? any ProgressiveImageCoder else { return }
            let info = try coder.info(of: data)
            for target in [
                info.storedSize, PixelSize(max(1, info.storedSize.width / 3), max(1, info.storedSize.height / 3)),
            ] {
                let request = DecodeRequest(data: data, info: info, target: target)
                var decoder = try coder.makePreviewDecoder(request)
                for start in stride(from: 0, to: data.count, by: chunkByteCount) {
                    guard let preview = try decoder.append(Data(data.dropFirst(start).prefix(chunkByteCount))) else {
                        continue
                    }
                    try require(
                        preview.size.width >= target.width && preview.size.height >= target.height,
                        "a preview of \(preview.size) is smaller than its target, \(target)")
                }
                let (progressive, plain) = (try decoder.finish(), try coder.decode(request))
                try require(
                    progressive == plain,
                    "progressive decoding in chunks of \(chunkByteCount) bytes ends in another image")
                let frameCount = max(decoder.frameDurations.count, 1)
                try require(
                    frameCount == info.frameCount,
                    "progressive decoding finds \(frameCount) of \(info.frameCount) frames")
            }
        }
    }

    /// Checks that decoding an encoded animation returns the same frames, with a channel difference of at most `tolerance`.
    public func checkRoundTrip(_ animation: Animation, as format: ImageFormat, tolerance: Int = 0) throws {
        try subject.running("an animation of \(animation.frameCount) frames as \(format)") {
            let frames = try animation.frames()
            guard let image = Image(frames: frames, loopCount: animation.loopCount, format: format) else { return }
            let context = ImageContext { $0.quality = 1 }
            let data = try registry.encode(image, as: format, context: context)
            try require(
                try registry.encode(image, as: format, context: context) == data, "equal requests give different bytes")
            let decoded = try registry.decode(data)
            let played = try decoded.animation?.frames() ?? []
            try require(played.count == frames.count, "\(frames.count) frames decode to \(played.count)")
            try require(
                decoded.animation?.loopCount == animation.loopCount, "the decoded loop count differs")
            for (index, (before, after)) in zip(frames, played).enumerated() {
                let difference = after.bitmap.firstDifference(from: before.bitmap, tolerance: tolerance)
                try require(difference == nil, "the decoded frame \(index) differs: \(difference, default: "")")
                try require(
                    abs((before.duration - after.duration) / .milliseconds(1)) < 6,
                    "the decoded duration of frame \(index) differs")
            }
        }
    }
}
