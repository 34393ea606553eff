#if os(Linux)
    import DarkroomCore
    import DarkroomPlatform

    // Files.
    extension WorkerWork {
        func encode(_ reader: inout MessageReader, _ memory: CallMemory, _ timeLeft: Duration) throws -> Answer {
            let call = try EncodeCall(&reader, memory, of: self, timeLeft)
            let (size, hasAlpha) = (try reader.size(), try reader.bool())
            let pixels = call.input.dropFirst(call.fileByteCount)
            guard size.byteCount == pixels.count, pixels.count > 0 else { throw MalformedMessage() }
            let bitmap = try Bitmap.uninitialized(size, hasAlpha: hasAlpha, limits: call.context.limits) { memory in
                unsafe memory.withUnsafeMutableBytes { memory in
                    unsafe pixels.withUnsafeBytes { unsafe memory.copyMemory(from: $0) }
                }
            }
            let request = call.request(bitmap, self)
            let file = try call.clock.run { try call.encoder.encode(request) }
            return try answer(file, call, memory, limit: try reader.count())
        }

        func selectMetadata(
            _ reader: inout MessageReader, _ memory: CallMemory, _ timeLeft: Duration
        ) throws -> Answer {
            let call = try EncodeCall(&reader, memory, of: self, timeLeft)
            let capacity = try reader.count()
            // The result depends on the metadata and the size only.
            let bitmap = try Bitmap(PixelSize(1, 1), hasAlpha: false) { $0[3] = 255 }
            let request = call.request(bitmap, self)
            let original = call.input.prefix(call.fileByteCount)
            let file = try call.clock.run {
                try call.encoder.file(Data(original), selectingMetadataFor: request)
            }
            guard let file else { return Answer(status: .none) }
            return try answer(file, call, memory, limit: capacity)
        }

        private func answer(
            _ file: Data, _ call: EncodeCall, _ memory: CallMemory, limit: Int
        ) throws -> Answer {
            guard file.count <= limit else {
                throw ImageError(
                    .overLimit, .encode,
                    "the file has \(file.count) bytes, and a worker process delivers \(limit) of this image")
            }
            try unsafe memory.withOutput(count: limit) { start in
                unsafe file.withUnsafeBytes { bytes in
                    guard let source = bytes.baseAddress else { return }
                    unsafe start.copyMemory(from: source, byteCount: bytes.count)
                }
            }
            var answer = Answer()
            answer.payload.put(file.count)
            return answer
        }
    }

    /// The arguments of a call to an encoder.
    private struct EncodeCall {
        let encoder: any EncodingImageCoder
        let format: ImageFormat
        let context: ImageContext
        let info: ImageInfo
        let iccProfile: Data?
        /// A file, and pixels after it.
        let input: Data
        let fileByteCount: Int
        let clock: WorkClock

        init(
            _ reader: inout MessageReader, _ memory: CallMemory, of work: WorkerWork, _ timeLeft: Duration
        ) throws {
            guard let encoder = try work.coder(try reader.int()) as? any EncodingImageCoder else {
                throw MalformedMessage()
            }
            let name = try reader.string()
            guard let format = encoder.encodableFormats.first(where: { $0.identifier == name }) else {
                throw MalformedMessage()
            }
            (self.encoder, self.format) = (encoder, format)
            context = try reader.context(keys: encoder.contextKeys)
            // The description of the image, which may be larger than a packet, is the first part of the input.
            let descriptionByteCount = try reader.count()
            fileByteCount = try reader.count()
            let data = try memory.data(count: try reader.count())
            var description = MessageReader([UInt8](data.prefix(descriptionByteCount)))
            let formats = [try description.format()] + work.coders.coders.flatMap(\.formats)
            info = try description.info(formats: formats)
            iccProfile = try description.optional { reader throws(MalformedMessage) in try reader.data() }
            input = data.dropFirst(descriptionByteCount)
            clock = work.clock(context.limits, timeLeft)
        }

        func request(_ bitmap: Bitmap, _ work: WorkerWork) -> EncodeRequest {
            var metadata = Image.Metadata()
            metadata.iccProfile = iccProfile
            let image = Image(info: info, bitmap: bitmap, metadata: metadata)
            return EncodeRequest(
                image: image, format: format, context: context, colorConverter: work.coders.colorConverter,
                cancellation: work.cancellation, clock: clock)
        }
    }

    extension MessageWriter {
        /// Writes the names of a format that no coder of a worker may have.
        mutating func put(_ format: ImageFormat) {
            put(format.identifier)
            put(format.mimeType)
            put(format.fileExtension)
        }
    }

    extension MessageReader {
        fileprivate mutating func format() throws(MalformedMessage) -> ImageFormat {
            ImageFormat(
                identifier: try string(), mimeType: try string(), fileExtension: try string(), signatures: [])
        }
    }
#endif
