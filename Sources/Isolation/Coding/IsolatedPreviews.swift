#if os(Linux)
    import DarkroomCore
    import DarkroomPlatform

    /// The previews of one transfer, which one worker makes. If that has ended, or has forgotten them, there are none.
    struct IsolatedPreviews: FinishedPreviewDecoder {
        private let coder: IsolatedCoder
        private let request: DecodeRequest
        private let session: IsolatedCoder.Session

        private(set) var frameDurations: [Duration] = []

        init(coder: IsolatedCoder, request: DecodeRequest) throws {
            (self.coder, self.request) = (coder, request)
            let token = coder.pool.newToken()
            session = try coder.withWorker(for: request.data, check: request.checkCancellation) { worker in
                let source = request.headerRequest(of: request.data)
                var call = Call(.openPreviews, request.monitor)
                call.message.put(token)
                try coder.put(source, to: &call)
                try coder.put(request, to: &call)
                call.descriptors.input = try unsafe source.data.withUnsafeBytes {
                    try unsafe Worker.newMemory([$0], byteCount: $0.count)
                }
                defer { call.closeDescriptors() }
                _ = try worker.result(of: call)
                return IsolatedCoder.Session(workerID: worker.id, token: token)
            }
        }

        mutating func append(_ bytes: Data) throws -> FinishedBitmap? {
            let (finished, durations) = try withWorker { worker in
                var call = try call(.appendPreview)
                defer { call.closeDescriptors() }
                call.message.put(session.token)
                call.message.put(bytes.count)
                call.message.put(byteCount)
                call.descriptors.input = try unsafe bytes.withUnsafeBytes { try unsafe worker.place([$0]) }
                let reply = try worker.reply(to: call)
                var payload = try worker.payload(byteCount: reply.byteCount)
                switch reply.status {
                case .failed: throw try payload.error()
                case .forgotten: throw Forgotten()
                case .done, .none: break
                }
                let durations = try payload.frameDurations()
                guard reply.status == .done else { return (FinishedBitmap?.none, durations) }
                let finished = try payload.bitmap(request, call, in: worker) {
                    $0 == request.deliveredSize
                }
                try payload.remarks().add(to: request)
                return (finished, durations)
            }
            frameDurations = durations
            return finished
        }

        mutating func finish(_ complete: DecodeRequest) throws -> FinishedBitmap {
            try withWorker { worker in
                let (info, file) = try coder.open(complete.headerRequest(of: complete.data), with: worker)
                guard info == complete.info else {
                    throw ImageError(.corrupt, .decode, "the header has changed since it was read")
                }
                var call = try call(.finishPreviews)
                defer { call.closeDescriptors() }
                call.message.put(session.token)
                call.message.put(file.token)
                try coder.put(complete, to: &call)
                call.message.put(byteCount)
                var payload = try worker.result(of: call)
                let finished = try payload.bitmap(complete, call, in: worker) {
                    $0 == complete.deliveredSize
                }
                try payload.remarks().add(to: request)
                try payload.remarks().add(to: complete)
                return finished
            }
        }

        private var byteCount: Int { request.deliveredSize.byteCount ?? .max }

        private func call(_ operation: Operation) throws -> Call {
            var call = Call(operation, request.monitor)
            try request.context.limits.check(decodedByteCount: byteCount)
            try call.prepareOutput(byteCount, coder.pool.configuration)
            return call
        }

        private func withWorker<Result>(_ body: (Worker) throws -> Result) throws -> Result {
            do {
                return try coder.pool.withWorker(
                    exactly: session.workerID, for: coder.purpose, check: request.checkCancellation, body)
            } catch is Forgotten {
                throw ImageError(.incomplete, .decode, "the worker process has forgotten the previews")
            }
        }
    }
#endif
