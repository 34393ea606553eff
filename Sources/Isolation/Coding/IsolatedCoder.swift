#if os(Linux)
    import CIsolation
    import DarkroomCore
    import DarkroomPlatform

    /// A coder that decodes in a worker process.
    struct IsolatedCoder: FinishingCoder {
        let base: any ImageCoder
        let name: CoderName
        let pool: WorkerPool

        /// The file in a worker, between a header and its pixels.
        struct Session: Sendable {
            let workerID: Int
            let token: UInt64
            /// The pixels, if the worker has delivered them with the header.
            var early: EarlyBitmap?
        }

        var formats: [ImageFormat] { base.formats }

        var contextKeys: [any CoderContextKey.Type] { base.contextKeys }

        var purpose: Purpose { .decoding(formats) }

        func canDecode(_ data: Data) -> Bool {
            (try? IsolatingHost(pool: pool).coder(for: data, among: [self])) != nil
        }

        func info(of request: InfoRequest) throws -> ImageInfo {
            try withWorker(for: request.data, check: request.checkCancellation) { worker in
                let (info, session) = try open(request, with: worker)
                request.cacheOutline(session)
                return info
            }
        }

        func decodeFinished(_ request: DecodeRequest) throws -> FinishedBitmap {
            let session: Session? = request.outline { _ in nil }
            if let bitmap = session?.early?.take(for: request) { return bitmap }
            return try decode(request, .pixels, isExpected: { $0 == request.deliveredSize })
        }

        /// Returns the bitmap as the coder decodes it, for a caller other than Core.
        func decode(_ request: DecodeRequest) throws -> Bitmap {
            let (stored, target) = (request.info.storedSize, request.target)
            return try decode(request, .unfinishedPixels) { size in
                let isBetween = size.width <= stored.width && size.height <= stored.height
                return size == target || isBetween && size.width >= target.width && size.height >= target.height
            }.bitmap
        }

        func makeFinishedFrames(
            _ request: DecodeRequest, firstFrame: @escaping @Sendable () -> Bitmap?
        ) throws -> any FrameDecoder {
            IsolatedFrames(coder: self, request: request, firstFrame: firstFrame)
        }

        func makeFinishedPreviews(_ request: DecodeRequest) throws -> any FinishedPreviewDecoder {
            try IsolatedPreviews(coder: self, request: request)
        }

        /// Runs `body` with a worker that gets `file`, which the error of a crash names.
        func withWorker<Result>(
            preferring id: Int? = nil, for file: Data, check: () throws -> Void, _ body: (Worker) throws -> Result
        ) throws -> Result {
            try naming(file) { try pool.withWorker(preferring: id, for: purpose, check: check, body) }
        }
    }

    extension IsolatedCoder {
        /// Reads the header of `request` in `worker`, which keeps the file.
        func open(_ request: InfoRequest, with worker: Worker) throws -> (ImageInfo, Session) {
            let token = pool.newToken()
            var call = Call(.header, request.monitor)
            call.message.put(token)
            try put(request, to: &call)
            call.message.put(request.nextDecode != nil)
            if let next = request.nextDecode {
                try call.message.put(next.context, keys: contextKeys)
                call.message.put(next.byteCount)
                call.message.put(pool.configuration.keptByteCount)
            }
            call.descriptors.input = try unsafe request.data.withUnsafeBytes { try unsafe worker.place([$0]) }
            defer { call.closeDescriptors() }
            var payload = try worker.result(of: call)
            let info = try payload.info(formats: formats)
            let early = try request.nextDecode.flatMap { try payload.earlyBitmap(info, $0, call, in: worker) }
            worker.token = token
            return (info, Session(workerID: worker.id, token: token, early: early))
        }

        /// Adds the coder, the limits and the size of the file of `request`.
        func put(_ request: InfoRequest, to call: inout Call) throws(ImageError) {
            call.message.put(try pool.index(of: name))
            call.message.put(request.limits)
            call.message.put(request.acceptsIncomplete)
            call.message.put(request.data.count)
        }

        /// Adds the options and the size of `request`.
        func put(_ request: DecodeRequest, to call: inout Call) throws {
            try call.message.put(request.context, keys: contextKeys)
            call.message.put(request.target)
            call.message.put(request.hasOversampledTarget)
        }

        private func decode(
            _ request: DecodeRequest, _ operation: Operation, isExpected: (PixelSize) -> Bool
        ) throws -> FinishedBitmap {
            let session: Session? = request.outline { _ in nil }
            // The largest size that is expected.
            let sizes = operation == .pixels ? [request.deliveredSize] : [request.info.storedSize, request.target]
            let byteCount = sizes.compactMap(\.byteCount).max() ?? .max
            try request.context.limits.check(decodedByteCount: byteCount)
            return try withWorker(
                preferring: session?.workerID, for: request.data, check: request.checkCancellation
            ) { worker in
                let token = try token(of: request, session, in: worker)
                var call = Call(operation, request.monitor)
                call.message.put(token)
                try put(request, to: &call)
                call.message.put(byteCount)
                try call.prepareOutput(byteCount, pool.configuration)
                defer { call.closeDescriptors() }
                var payload = try worker.result(of: call)
                let finished = try payload.bitmap(request, call, in: worker, isExpected: isExpected)
                try payload.remarks().add(to: request)
                return finished
            }
        }

        /// Returns the token of the file of `request` in `worker`, to which it is sent again if that has another one.
        private func token(of request: DecodeRequest, _ session: Session?, in worker: Worker) throws -> UInt64 {
            if let session, worker.id == session.workerID, worker.token == session.token { return session.token }
            let (info, session) = try open(request.headerRequest(of: request.data), with: worker)
            guard info == request.info else {
                throw ImageError(.corrupt, .decode, "the header has changed since it was read")
            }
            return session.token
        }
    }

    extension Worker {
        /// Returns the payload of the reply to `call`. Throws the error that it contains, or one of kind `incomplete` if the
        /// worker has forgotten what the call refers to.
        func result(of call: Call) throws -> MessageReader {
            guard let payload = try optionalResult(of: call) else { throw MalformedMessage() }
            return payload
        }

        /// Returns the payload like ``result(of:)``; `nil` if there is nothing to reply.
        func optionalResult(of call: Call) throws -> MessageReader? {
            let reply = try reply(to: call)
            var payload = try payload(byteCount: reply.byteCount)
            switch reply.status {
            case .done: return payload
            case .failed: throw try payload.error()
            case .forgotten: throw Forgotten()
            case .none: return nil
            }
        }

        /// Calls `body` with the first `count` bytes of the output of `call`.
        func withOutput<Result>(
            of call: Call, count: Int, _ body: (UnsafeRawBufferPointer) throws -> Result
        ) throws -> Result {
            guard call.descriptors.output >= 0 else { return try unsafe body(try outputBytes(count: count)) }
            guard let start = unsafe darkroom_map_memory(call.descriptors.output, max(1, count), false) else {
                throw ImageError.noSharedMemory
            }
            defer { unsafe munmap(start, max(1, count)) }
            return try unsafe body(UnsafeRawBufferPointer(start: start, count: count))
        }
    }

    /// Returns the result of `body`. The error of a crash gets the digest of `file`, by which the file can be found.
    func naming<Result>(_ file: Data, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as ImageError where error.kind == .crashed {
            throw ImageError(
                .crashed, error.stage,
                "\(error.message); the SHA-256 of the file is \(file.sha256.hexadecimalText)")
        }
    }

    /// The worker no longer has what a call refers to.
    struct Forgotten: Error {}
#endif
