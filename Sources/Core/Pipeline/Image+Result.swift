extension Image {
    /// Returns the image after `transformers`. Frames of an animation are transformed when they are requested.
    ///
    /// - Throws: An error of kind `overLimit` if there are more transformers than the limits of `request` allow.
    func transformed(
        by transformers: [any ImageTransformer], _ request: TransformRequest
    ) throws(ImageError) -> Image {
        try request.context.limits.check(transformers)
        let (first, resolved) = try ImageError.wrap(.transform) {
            return try transformers.reduce((bitmap, [any ImageTransformer]())) { done, transformer in
                try request.checkCancellation()
                let request = request.reduced(from: done.1.isEmpty ? metadata.sourceSize : nil)
                let resolved = try transformer.resolved(forFirstFrame: done.0, request: request)
                return (try resolved.transform(done.0, for: request), done.1 + [resolved])
            }
        }
        let frames = animation?.map { [context = request.context] frame in
            // Frames are made long after the load, so its cancellation and clock do not apply to them.
            let request = TransformRequest(context: context)
            return try resolved.reduce(frame) { try $1.transform($0, for: request) }
        }
        var image = Image(info: info, bitmap: first, animation: frames, metadata: metadata)
        image.metadata.isTransformed = true
        image.metadata.sourceSize = nil
        return image
    }

    /// Returns the image, which was decoded elsewhere, at the size that `context` requests.
    func fitted(for context: ImageContext, _ checkCancellation: () throws -> Void) throws -> Image {
        var decoded = ImageInfo(format: info.format, storedSize: size)
        decoded.frameCount = info.frameCount
        var image = context.usesFirstFrameOnly ? firstFrame : self
        if context.deliveredSize(of: decoded) != size {
            image = try image.resized(for: context, of: decoded, checkCancellation: checkCancellation)
        }
        if let thumbnail = context.thumbnail { image.metadata.thumbnail = thumbnail }
        return image
    }

    /// Returns the image at the size at which its original would be decoded for `context`. Without a thumbnail, it is itself,
    /// which has all pixels that the first transformer needs.
    func shrunk(for context: ImageContext, _ checkCancellation: () throws -> Void) throws -> Image {
        var image = self
        if context.thumbnail == nil {
            image.metadata.sourceSize = size == info.size ? nil : info.size
        } else {
            image = try resized(for: context, of: info, checkCancellation: checkCancellation)
            image.metadata.sourceSize = nil
        }
        image.metadata.thumbnail = context.thumbnail
        return image
    }

    /// Returns the image with all frames of its animation in memory, if `context` requests that.
    func preloaded(for context: ImageContext, _ scope: WorkScope) throws -> Image {
        guard context.preloadsFrames, let animation else { return self }
        try context.limits.check(decodedByteCount: bitmap.byteCount.multiplied(by: animation.frameCount))
        var frames: [Frame] = []
        try scope.clock.includingFrames {
            let monitor = scope.monitor(.decode)
            var decoder = try animation.makeFrameDecoder()
            while let frame = try decoder.nextFrame() {
                try monitor.check()
                frames.append(frame)
            }
        }
        // That of the first one is known.
        let damage = frames.dropFirst().compactMap(\.damage)
        var metadata = metadata
        metadata.isIncomplete = metadata.isIncomplete || !damage.isEmpty
        metadata.notes += damage.prefix(Animation.damageNoteLimit)
        return Image(
            info: info, bitmap: bitmap, animation: Animation(frames: frames, loopCount: animation.loopCount),
            metadata: metadata)
    }

    /// Returns the image with `scale` pixels per point. A scale below 1 counts as 1; `nil` leaves the image unchanged.
    func scaled(_ scale: Double?) -> Image {
        guard let scale, metadata.scale != max(scale, 1) else { return self }
        var image = self
        image.metadata.scale = max(scale, 1)
        return image
    }

    /// Returns the image, decoded from the stored result `entry`, with the metadata of the original.
    func restored(from entry: DataEntry, for request: Request) -> Image {
        // The pixels are those of the stored result, not of the original's file.
        bitmap.isAsStored = false
        var image = Image(info: entry.metadata.info ?? info, bitmap: bitmap, animation: animation)
        image.metadata.thumbnail = request.context.thumbnail
        image.metadata.isTransformed = !request.context.transformers.isEmpty
        image.metadata.extendedData = entry.metadata.extendedData
        image.metadata.iccProfile = metadata.iccProfile
        return image
    }
}

extension DecodeLimits {
    /// Throws an error of kind `overLimit` if there are too many `transformers`.
    fileprivate func check(_ transformers: [any ImageTransformer]) throws(ImageError) {
        let count = transformers.reduce(0) { $0.adding($1.transformerCount) }
        guard count <= transformerCount else {
            throw .overLimit("transformerCount", value: count, bound: transformerCount, stage: .transform)
        }
    }
}

extension CacheKey {
    /// The pixels per point according to a name such as `cat@2x.png`, by SDWebImage's rule; `nil` if the name has no
    /// such suffix.
    var scaleInName: Double? {
        // Substring search is slow, and most keys have neither of these characters.
        let mayHaveScale = source.utf8.contains { $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "%") }
        guard mayHaveScale, source.utf8.count >= 8 else { return nil }
        let isWeb = source.startsWithBytes(of: "http://") || source.startsWithBytes(of: "https://")
        let bytes = source.utf8
        for scale in [2, 3]
        where bytes.contains("@\(scale)x.".utf8) || isWeb && bytes.contains("%40\(scale)x.".utf8) {
            return Double(scale)
        }
        return nil
    }
}
