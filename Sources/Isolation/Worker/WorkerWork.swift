#if os(Linux)
    import DarkroomCore
    import DarkroomPlatform

    /// The answer to a call.
    struct Answer {
        var status = Status.done
        var payload = MessageWriter()
    }

    /// The work of a worker, and its state between two calls.
    struct WorkerWork {
        /// A file whose header was read.
        struct Session {
            let token: UInt64
            let request: InfoRequest
            let info: ImageInfo
            let coder: any ImageCoder
        }

        let coders: CoderRegistry
        let isCancelled: @Sendable () -> Bool
        /// The file of the last header.
        var session: Session?
        /// The animations that were used last, the most recent at the end.
        var animations: [(token: UInt64, frameCount: Int, decoder: any FrameDecoder)] = []
        /// The transfers with previews that were used last, the most recent at the end.
        var transfers: [Transfer] = []

        init(_ coders: CoderRegistry, isCancelled: @escaping @Sendable () -> Bool) {
            (self.coders, self.isCancelled) = (coders, isCancelled)
        }

        /// The number of animations, and of transfers, that are kept.
        static let keptCount = 4

        /// Returns the answer to `operation` with the arguments in `reader`, for which `timeLeft` is left.
        mutating func answer(
            _ operation: Operation, _ reader: inout MessageReader, _ memory: CallMemory, timeLeft: Duration
        ) -> Answer {
            defer { memory.close() }
            do {
                return try result(of: operation, &reader, memory, timeLeft)
            } catch {
                var answer = Answer(status: .failed)
                answer.payload.put(ImageError(error, in: operation == .encode ? .encode : .decode))
                return answer
            }
        }

        private mutating func result(
            of operation: Operation, _ reader: inout MessageReader, _ memory: CallMemory, _ timeLeft: Duration
        ) throws -> Answer {
            switch operation {
            case .choose: try choose(&reader, memory)
            case .header: try header(&reader, memory, timeLeft)
            case .pixels: try pixels(&reader, memory, isFinished: true)
            case .unfinishedPixels: try pixels(&reader, memory, isFinished: false)
            case .openFrames: try openFrames(&reader, memory, timeLeft)
            case .nextFrame: try nextFrame(&reader, memory)
            case .openPreviews: try openPreviews(&reader, memory, timeLeft)
            case .appendPreview: try appendPreview(&reader, memory)
            case .finishPreviews: try finishPreviews(&reader, memory)
            case .encode: try encode(&reader, memory, timeLeft)
            case .selectMetadata: try selectMetadata(&reader, memory, timeLeft)
            }
        }

        /// Returns the coder with the number `index`.
        func coder(_ index: Int) throws(MalformedMessage) -> any ImageCoder {
            guard coders.coders.indices.contains(index) else { throw MalformedMessage() }
            return coders.coders[index]
        }

        /// Returns a clock with `timeLeft` of the time that `limits` allow.
        func clock(_ limits: DecodeLimits, _ timeLeft: Duration) -> WorkClock {
            let clock = WorkClock(limit: limits.workTime)
            clock.add(timeSpent: limits.workTime - timeLeft)
            return clock
        }

        var cancellation: CancellationFlag { CancellationFlag(probe: isCancelled) }
    }

    // Stills.
    extension WorkerWork {
        private func choose(_ reader: inout MessageReader, _ memory: CallMemory) throws -> Answer {
            let data = try memory.data(count: try reader.count())
            let indices = try reader.list(byteCount: 8) { reader throws(MalformedMessage) in try reader.int() }
            let candidates = CoderRegistry(try indices.map(coder))
            guard let place = candidates.place(ofCoderFor: data) else { return Answer(status: .none) }
            var answer = Answer()
            answer.payload.put(place)
            return answer
        }

        private mutating func header(
            _ reader: inout MessageReader, _ memory: CallMemory, _ timeLeft: Duration
        ) throws -> Answer {
            session = nil
            let session = try openSession(&reader, memory, timeLeft)
            self.session = session
            var answer = Answer()
            answer.payload.put(session.info)
            if try reader.bool() {
                let next = (try reader.context(keys: session.coder.contextKeys), try reader.int())
                let capacity = min(try reader.count(), Layout.pixelCapacity)
                answer.payload.put(try earlyBitmap(session, next, memory, capacity: capacity)) { $0.append($1.payload) }
            }
            return try answer.checked()
        }

        /// Returns the answer with the bitmap that the next call would request; `nil` if that has more than `capacity` bytes, or if
        /// the memory does not suffice that the parent has reserved for the decode and its own copy of the pixels.
        private func earlyBitmap(
            _ session: Session, _ next: (context: ImageContext, byteCount: Int), _ memory: CallMemory, capacity: Int
        ) throws -> Answer? {
            let context = next.context
            try context.limits.check(session.info)
            let decoding = try Decoding(
                resuming: session.request, info: session.info, target: context.target(of: session.info),
                isOversampled: false, coder: session.coder, context: context, converter: coders.colorConverter)
            let byteCount = decoding.request.target.byteCount ?? .max
            guard byteCount <= capacity, byteCount.adding(decoding.estimatedByteCount) <= next.byteCount
            else { return nil }
            return try deliver(decoding, memory, capacity: capacity) { try decoding.finishedBitmap() }
        }

        /// Reads a header.
        func openSession(
            _ reader: inout MessageReader, _ memory: CallMemory, _ timeLeft: Duration
        ) throws -> Session {
            let token = try reader.integer(UInt64.self)
            let coder = try coder(try reader.int())
            let limits = try reader.limits()
            let acceptsIncomplete = try reader.bool()
            let data = try memory.data(count: try reader.count())
            let clock = clock(limits, timeLeft)
            var request = InfoRequest(data: data, limits: limits, cancellation: cancellation, clock: clock)
            request.acceptsIncomplete = acceptsIncomplete
            let info = try clock.run { try coder.info(of: request) }
            return Session(token: token, request: request, info: info, coder: coder)
        }

        /// Returns the decoding of `session`, with a context, a target and whether that is oversampled from the message.
        func decoding(_ session: Session, _ reader: inout MessageReader) throws -> Decoding {
            let context = try reader.context(keys: session.coder.contextKeys)
            return try Decoding(
                resuming: session.request, info: session.info, target: try reader.size(),
                isOversampled: try reader.bool(), coder: session.coder, context: context,
                converter: coders.colorConverter)
        }

        private func pixels(
            _ reader: inout MessageReader, _ memory: CallMemory, isFinished: Bool
        ) throws -> Answer {
            let token = try reader.integer(UInt64.self)
            guard let session, session.token == token else { return Answer(status: .forgotten) }
            let decoding = try decoding(session, &reader)
            let capacity = try reader.count()
            return try deliver(decoding, memory, capacity: capacity) {
                if isFinished { return try decoding.finishedBitmap() }
                return FinishedBitmap(try session.coder.decode(decoding.request))
            }
        }

        /// Returns the answer with the bitmap that `make` returns, whose pixels are written to the output.
        private func deliver(
            _ decoding: Decoding, _ memory: CallMemory, capacity: Int, _ make: () throws -> FinishedBitmap
        ) throws -> Answer {
            let byteCount = decoding.request.deliveredSize.byteCount ?? .max
            return try unsafe memory.withOutput(count: capacity) { start in
                try decoding.request.monitor.clock.run {
                    try unsafe OutputPixels.with(start, byteCount: byteCount) {
                        let finished = try make()
                        var answer = Answer()
                        try unsafe answer.put(finished, at: start, capacity: capacity)
                        answer.put(notesOf: decoding.request)
                        return try answer.checked()
                    }
                }
            }
        }
    }

    extension CoderRegistry {
        /// Returns the place of the coder that accepts `data`; `nil` if none does.
        fileprivate func place(ofCoderFor data: Data) -> Int? {
            for hasSignature in [true, false] {
                let place = coders.lastIndex { coder in
                    coder.formats.contains { !$0.signatures.isEmpty } == hasSignature && coder.canDecode(data)
                }
                if let place { return place }
            }
            return nil
        }
    }

    extension Answer {
        /// Adds a finished bitmap to the payload, and writes its pixels to `start`, unless they are there.
        mutating func put(_ finished: FinishedBitmap, at start: UnsafeMutableRawPointer, capacity: Int) throws {
            let bitmap = finished.bitmap
            guard bitmap.byteCount <= capacity else {
                throw ImageError(.internal, .decode, "the coder has returned \(bitmap.size) pixels, which are too many")
            }
            bitmap.withPixels { pixels in
                unsafe pixels.withUnsafeBytes { bytes in
                    guard let source = bytes.baseAddress, unsafe source != UnsafeRawPointer(start) else { return }
                    unsafe start.copyMemory(from: source, byteCount: bytes.count)
                }
            }
            payload.put(bitmap.size)
            payload.put(bitmap.hasAlpha)
            payload.put(finished.isConverted)
            payload.put(finished.isAsDecoded)
            switch finished.profile {
            case .none: payload.put("none")
            case .ofFile: payload.put("file")
            case .space(let space): payload.put(space.rawValue)
            }
        }

        /// Returns the answer. Throws an error if its payload is too large to be delivered.
        func checked() throws(ImageError) -> Answer {
            guard payload.bytes.count <= Layout.payloadCapacity else {
                throw ImageError(
                    .overLimit, .decode,
                    "the metadata has \(payload.bytes.count) bytes, and a worker process delivers \(Layout.payloadCapacity)"
                )
            }
            return self
        }
    }
#endif
