#if os(Linux)
    import DarkroomCore
    import DarkroomPlatform

    /// The frames of an animation, which a worker decodes. If that has ended, or has forgotten them, another one goes on.
    struct IsolatedFrames: FrameDecoder {
        private let coder: IsolatedCoder
        private let request: DecodeRequest
        private let firstFrame: @Sendable () -> Bitmap?
        private var session: IsolatedCoder.Session?
        /// The index of the next frame, and that of the next one in the worker of the session; `nil` if it is unknown.
        private var next = 0
        private var nextInWorker: Int? = 0

        init(coder: IsolatedCoder, request: DecodeRequest, firstFrame: @escaping @Sendable () -> Bitmap?) {
            (self.coder, self.request, self.firstFrame) = (coder, request, firstFrame)
        }

        mutating func nextFrame() throws -> Frame? {
            guard next < request.info.frameCount else { return nil }
            defer { next += 1 }
            if next == 0, let bitmap = firstFrame() { return Frame(bitmap, duration: request.info.frameDurations[0]) }
            request.restartClock()
            // If the call fails, that worker may be at any frame, and goes on from there.
            let position = nextInWorker.take()
            var session = session
            defer { self.session = session }
            let frame = try coder.withWorker(
                preferring: session?.workerID, for: request.data, check: request.checkCancellation
            ) { worker in try self.frame(next, from: position, &session, in: worker) }
            nextInWorker = next + 1
            return frame
        }

        mutating func seek(to index: Int) throws -> Bool {
            next = index
            return true
        }

        private func frame(
            _ index: Int, from position: Int?, _ session: inout IsolatedCoder.Session?, in worker: Worker
        ) throws -> Frame? {
            if let session, session.workerID == worker.id {
                do { return try frame(index, from: position, of: session.token, in: worker) } catch is Forgotten {}
            }
            let opened = try open(in: worker)
            session = opened
            do {
                return try frame(index, from: 0, of: opened.token, in: worker)
            } catch is Forgotten {
                throw MalformedMessage()
            }
        }

        private func open(in worker: Worker) throws -> IsolatedCoder.Session {
            let token = coder.pool.newToken()
            let source = request.headerRequest(of: request.data)
            var call = Call(.openFrames, request.monitor)
            call.message.put(token)
            try coder.put(source, to: &call)
            try coder.put(request, to: &call)
            call.message.put(request.info.frameCount)
            // The worker keeps the file, so it needs memory that no other file gets.
            call.descriptors.input = try unsafe source.data.withUnsafeBytes {
                try unsafe Worker.newMemory([$0], byteCount: $0.count)
            }
            defer { call.closeDescriptors() }
            _ = try worker.result(of: call)
            return IsolatedCoder.Session(workerID: worker.id, token: token)
        }

        /// Returns a call without its last arguments, which has the full time, as the worker has.
        private func call(of token: UInt64, isSeeking: Bool) -> Call {
            request.restartClock()
            var call = Call(.nextFrame, request.monitor)
            call.message.put(token)
            call.message.put(isSeeking)
            return call
        }

        private func frame(_ index: Int, from position: Int?, of token: UInt64, in worker: Worker) throws -> Frame? {
            if index != position {
                var call = call(of: token, isSeeking: true)
                call.message.put(index)
                call.message.put(position ?? .max)
                _ = try worker.result(of: call)
            }
            let size = request.deliveredSize
            guard let byteCount = size.byteCount else { throw MalformedMessage() }
            var call = call(of: token, isSeeking: false)
            call.message.put(byteCount)
            try call.prepareOutput(byteCount, coder.pool.configuration)
            defer { call.closeDescriptors() }
            guard var payload = try worker.optionalResult(of: call) else { return nil }
            let finished = try payload.bitmap(request.context.limits, call, in: worker) { $0 == size }
            var frame = Frame(finished.bitmap, duration: try payload.frameDuration())
            frame.damage = try payload.optional { reader throws(MalformedMessage) in try reader.sentence() }
            return frame
        }
    }
#endif
