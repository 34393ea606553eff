#if os(Linux)
    import DarkroomCore
    import DarkroomPlatform

    /// A coder that decodes in a worker process, and encodes stills in one.
    ///
    /// An animation is encoded in this process: its frames are those that workers have decoded. They are not converted, because
    /// a colour engine would have to parse a foreign profile here.
    struct IsolatedEncoder: FinishingCoder, HostedEncoder {
        private let encoder: any EncodingImageCoder
        private let coder: IsolatedCoder

        init(_ encoder: any EncodingImageCoder, coder: IsolatedCoder) { (self.encoder, self.coder) = (encoder, coder) }

        var base: any ImageCoder { encoder }
        var formats: [ImageFormat] { encoder.formats }
        var contextKeys: [any CoderContextKey.Type] { encoder.contextKeys }
        var encodableFormats: [ImageFormat] { encoder.encodableFormats }

        func ranges(of format: ImageFormat) -> EncodingRanges { encoder.ranges(of: format) }

        func observesByteLimit(of format: ImageFormat) -> Bool { encoder.observesByteLimit(of: format) }

        func canDecode(_ data: Data) -> Bool { coder.canDecode(data) }

        func info(of request: InfoRequest) throws -> ImageInfo { try coder.info(of: request) }

        func decode(_ request: DecodeRequest) throws -> Bitmap { try coder.decode(request) }

        func decodeFinished(_ request: DecodeRequest) throws -> FinishedBitmap { try coder.decodeFinished(request) }

        func makeFinishedFrames(
            _ request: DecodeRequest, firstFrame: @escaping @Sendable () -> Bitmap?
        ) throws -> any FrameDecoder { try coder.makeFinishedFrames(request, firstFrame: firstFrame) }

        func makeFinishedPreviews(_ request: DecodeRequest) throws -> any FinishedPreviewDecoder {
            try coder.makeFinishedPreviews(request)
        }

        func encode(_ request: EncodeRequest) throws -> Data {
            guard request.image.animation == nil || request.context.usesFirstFrameOnly else {
                return try encoder.encode(request.parsingNoProfile)
            }
            let bitmap = try request.still()
            // A file that is larger than its pixels has at most these parts besides.
            let byteCount = bitmap.byteCount.saturated { $0 + $0 / 4 + (1 << 20) + request.metadataByteCount }
            let file = try call(.encode, request, file: Data(), pixels: bitmap, capacity: byteCount)
            guard let file else { throw MalformedMessage() }
            return file
        }

        func selectMetadata(of file: Data, for request: EncodeRequest) throws -> Data? {
            try call(
                .selectMetadata, request, file: file, pixels: nil,
                capacity: file.count + (1 << 20) + request.metadataByteCount)
        }

        private func call(
            _ operation: Operation, _ request: EncodeRequest, file: Data, pixels: Bitmap?, capacity: Int
        ) throws -> Data? {
            let description = request.description
            let capacity = max(capacity, 1 << 20)
            return try coder.pool.withWorker(
                for: .encoding(request.format), check: request.checkCancellation
            ) { worker in
                var call = Call(operation, request.monitor)
                call.message.put(try coder.pool.index(of: coder.name))
                call.message.put(request.format.identifier)
                try call.message.put(request.context, keys: contextKeys)
                call.message.put(description.count)
                call.message.put(file.count)
                call.message.put(description.count + file.count + (pixels?.byteCount ?? 0))
                if let pixels {
                    call.message.put(pixels.size)
                    call.message.put(pixels.hasAlpha)
                }
                try call.prepareOutput(capacity, coder.pool.configuration)
                call.message.put(call.outputCapacity)
                defer { call.closeDescriptors() }
                call.descriptors.input = try Self.place([description, file], pixels, in: worker)
                guard var payload = try worker.optionalResult(of: call) else { return nil }
                let count = try payload.count()
                guard count <= call.outputCapacity else { throw MalformedMessage() }
                return try unsafe worker.withOutput(of: call, count: count) { unsafe Data($0) }
            }
        }

        private static func place(_ parts: [Data], _ pixels: Bitmap?, in worker: Worker) throws -> Int32 {
            try unsafe parts[0].withUnsafeBytes { first in
                try unsafe parts[1].withUnsafeBytes { second in
                    guard let pixels else { return try unsafe worker.place([first, second]) }
                    return try pixels.withPixels { pixels in
                        try unsafe pixels.withUnsafeBytes { try unsafe worker.place([first, second, $0]) }
                    }
                }
            }
        }
    }

    extension EncodeRequest {
        /// The request without the colour converter, unless the pixels have a profile of our own, or none.
        fileprivate var parsingNoProfile: EncodeRequest {
            let profile = image.metadata.iccProfile
            guard !OutputColorSpace.allCases.contains(where: { $0.iccProfile == profile }) else { return self }
            let (cancellation, clock) = (monitor.cancellation, monitor.clock)
            return EncodeRequest(
                image: image, format: format, context: context, cancellation: cancellation, clock: clock)
        }

        /// The image without its pixels.
        fileprivate var description: Data {
            var writer = MessageWriter()
            writer.put(image.info.format)
            // An image that was decoded as an animation is a still here.
            var info = image.info
            (info.frameCount, info.loopCount, info.frameDurations) = (1, 0, [])
            writer.put(info)
            writer.put(image.metadata.iccProfile) { $0.put($1) }
            return Data(writer.bytes)
        }

        /// The size of the metadata that may be written.
        fileprivate var metadataByteCount: Int {
            let info = image.info
            let parts = [image.metadata.iccProfile, info.exif?.data, info.xmp?.data, info.iptc]
            return parts.reduce(0) { $0 + 2 * ($1?.count ?? 0) } + info.comments.reduce(0) { $0 + 2 * $1.utf8.count }
        }
    }

    extension Int {
        fileprivate func saturated(_ change: (Int) -> Int) -> Int { self > .max / 4 ? .max : change(self) }
    }
#endif
