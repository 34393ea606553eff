#if os(Linux)
    import CIsolation
    import DarkroomCore
    import DarkroomPlatform

    /// One worker process, as its parent sees it.
    ///
    /// It is sendable although it is mutable: the pool lends it to one thread at a time.
    @safe final class Worker: @unchecked Sendable {
        let id: Int
        private var pid: pid_t = 0
        private var descriptor: Int32 = -1
        /// Counts its processor time; `nil` if the system does not permit to read that.
        private var clock: clockid_t?
        private let socket: Int32
        private let input: UnsafeMutableRawPointer
        private let output: UnsafeMutableRawPointer
        private let configuration: WorkerPool.Configuration

        /// The greeting of the worker; `nil` until it was waited for.
        private var greeting: Greeting?
        private(set) var isDead = false
        /// When it became idle.
        var lastUse = ContinuousClock.now
        private var hasLargeMemory = false
        /// The number of calls to it.
        var callCount = 0
        /// The token of the file in its input; 0 for none.
        var token: UInt64 = 0
        private var sequence: UInt64 = 0
        private var processorTimeLimit = Duration.zero

        /// The milliseconds between two looks at a worker that has not replied.
        private static let lookInterval: Int32 = 10

        /// Starts a worker, without waiting until it is ready.
        init(id: Int, _ configuration: WorkerPool.Configuration) throws(WorkerLoss) {
            (self.id, self.configuration) = (id, configuration)
            var sockets: [Int32] = [-1, -1]
            guard unsafe darkroom_make_channel(&sockets, Self.lookInterval) == 0 else {
                throw WorkerLoss("there is no socket for it")
            }
            let memories = [Layout.inputByteCount, Layout.outputByteCount].map { darkroom_make_memory($0) }
            defer { for memory in memories where memory >= 0 { close(memory) } }
            guard memories.allSatisfy({ $0 >= 0 }),
                let input = unsafe darkroom_map_memory(memories[0], Layout.inputByteCount, true),
                let output = unsafe darkroom_map_memory(memories[1], Layout.outputByteCount, false),
                darkroom_forbid_new_writers(memories[0]) == 0
            else {
                for socket in sockets { close(socket) }
                throw WorkerLoss("the system has no memory to share with it")
            }
            unsafe (self.input, self.output) = (input, output)
            socket = sockets[0]
            let error = unsafe darkroom_spawn_worker(
                configuration.executable.path, "\(Layout.variable)=1", sockets[1], &pid, &descriptor)
            close(sockets[1])
            guard error == 0 else {
                isDead = true
                throw WorkerLoss("it cannot be started: error \(error)")
            }
            var clock = clockid_t()
            if unsafe clock_getcpuclockid(pid, &clock) == 0 { self.clock = clock }
            var start = MessageWriter()
            start.put(configuration)
            _ = unsafe darkroom_send(socket, start.bytes, start.bytes.count, memories[0], memories[1])
        }

        deinit {
            _ = end()
            close(socket)
            unsafe munmap(input, Layout.inputByteCount)
            unsafe munmap(output, Layout.outputByteCount)
        }

        /// Waits until the worker is ready, and returns what it says of itself.
        func greet() throws(WorkerLoss) -> Greeting {
            if let greeting { return greeting }
            guard !isDead else { throw WorkerLoss("it has ended") }
            var packet = [UInt8](repeating: 0, count: Layout.packetCapacity)
            let end = ContinuousClock.now + configuration.startTime
            while true {
                let count = unsafe darkroom_receive_bytes(socket, &packet, packet.count)
                if count == -Int(ETIMEDOUT), ContinuousClock.now < end { continue }
                var reader = MessageReader(Array(packet[..<max(0, count)]))
                guard count > 0, let greeting = try? Greeting(&reader) else {
                    throw WorkerLoss("it did not get ready: \(self.end().description)")
                }
                self.greeting = greeting
                return greeting
            }
        }

        /// Ends the worker if it is alive. Returns how it ended, which the kernel remembers if it was earlier.
        func end() -> WorkerEnd {
            guard !isDead else { return .unknown }
            isDead = true
            darkroom_kill_worker(descriptor, pid)
            let status = darkroom_wait_for_worker(pid)
            if descriptor >= 0 { close(descriptor) }
            return WorkerEnd(status)
        }

        /// Returns how a worker ended whose channel is closed, which happens just before. One that goes on is ended.
        private func endOfClosedChannel() -> WorkerEnd {
            guard !isDead else { return .unknown }
            let status = darkroom_wait_shortly_for_worker(descriptor, pid)
            guard status != -EAGAIN else {
                _ = end()
                return .closedChannel
            }
            isDead = true
            if descriptor >= 0 { close(descriptor) }
            return WorkerEnd(status)
        }

        /// Whether it holds so much memory that it is replaced when it is idle.
        var isLarge: Bool { hasLargeMemory || darkroom_private_byte_count(pid) > 32 << 20 }

        /// Notes that so many bytes of the shared memory were used, whose pages stay.
        private func noteUse(of byteCount: Int) { if byteCount > 8 << 20 { hasLargeMemory = true } }
    }

    // The shared memory.
    extension Worker {
        /// Copies `parts` into the input, one after another, or into new memory if they are too large. Returns the descriptor
        /// of that, or -1.
        func place(_ parts: [UnsafeRawBufferPointer]) throws(ImageError) -> Int32 {
            let byteCount = unsafe parts.reduce(0) { $0 + $1.count }
            token = 0
            guard byteCount > configuration.keptByteCount else {
                noteUse(of: byteCount)
                var position = Layout.inputOffset
                for index in unsafe parts.indices {
                    let part = unsafe parts[index]
                    if let start = part.baseAddress {
                        unsafe input.advanced(by: position).copyMemory(from: start, byteCount: part.count)
                    }
                    position += part.count
                }
                return -1
            }
            return try unsafe Self.newMemory(parts, byteCount: byteCount)
        }

        /// Returns new memory with `parts`, which nobody can change any more.
        static func newMemory(_ parts: [UnsafeRawBufferPointer], byteCount: Int) throws(ImageError) -> Int32 {
            let memory = darkroom_make_memory(max(1, byteCount))
            guard memory >= 0 else { throw .noSharedMemory }
            // One part is enough so far: a file, or pixels after their description.
            var bytes = Data(capacity: unsafe parts.count > 1 ? byteCount : 0)
            let error: Int32
            if unsafe parts.count == 1, let part = unsafe parts.first {
                error = unsafe darkroom_fill_memory(memory, part.baseAddress, part.count)
            } else {
                for index in unsafe parts.indices { unsafe bytes.append(contentsOf: parts[index]) }
                error = unsafe bytes.withUnsafeBytes { unsafe darkroom_fill_memory(memory, $0.baseAddress, $0.count) }
            }
            guard error == 0 else {
                close(memory)
                throw .noSharedMemory
            }
            return memory
        }

        /// Copies the payload of a reply out of the output, which the worker may still change.
        func payload(byteCount: Int) throws(MalformedMessage) -> MessageReader {
            guard (0...Layout.payloadCapacity).contains(byteCount) else { throw MalformedMessage() }
            return MessageReader(unsafe Array(UnsafeRawBufferPointer(start: output, count: byteCount)))
        }

        /// The pixels, or the file, in the output.
        func outputBytes(count: Int) throws(MalformedMessage) -> UnsafeRawBufferPointer {
            guard (0...Layout.pixelCapacity).contains(count) else { throw MalformedMessage() }
            noteUse(of: count)
            return unsafe UnsafeRawBufferPointer(start: output.advanced(by: Layout.payloadCapacity), count: count)
        }
    }

    // Calls.
    extension Worker {
        /// Sends `call` and waits for the reply. A worker that neither replies nor stops in time is ended.
        func reply(to call: Call) throws -> Reply {
            unsafe darkroom_store_byte(input, 0)
            sequence += 1
            let processorTime = processorTime
            limitProcessorTime(call.clock.timeLeft, after: processorTime)
            let packet = call.packet(sequence)
            var watch = CallWatch(call, processorTime: processorTime, configuration)
            // A reply before its call, or calls that are not received: an earlier picture has taken over the worker.
            let error =
                unsafe darkroom_has_packet(socket)
                ? EAGAIN
                : darkroom_send(socket, packet, packet.count, call.descriptors.input, call.descriptors.output)
            guard error != EAGAIN else {
                _ = end()
                throw WorkerLoss("it did not wait for its call", isEarlier: true)
            }
            guard error == 0 else {
                throw WorkerLoss(endOfClosedChannel(), isEarlier: error == EPIPE || error == ECONNRESET)
            }
            var bytes = [UInt8](repeating: 0, count: 64)
            while true {
                let count = unsafe darkroom_receive_bytes(socket, &bytes, bytes.count)
                if count > 0 {
                    let reply = try Reply(Array(bytes[..<count]), sequence: sequence)
                    let timeSpent = min(reply.timeSpent, ContinuousClock.now - watch.start)
                    call.clock.add(timeSpent: timeSpent)
                    if let clock = WorkClock.ofFrames, clock !== call.clock { clock.add(timeSpent: timeSpent) }
                    try call.check()
                    return reply
                }
                guard count == -Int(ETIMEDOUT) else { throw WorkerLoss(endOfClosedChannel()) }
                try look(&watch)
            }
        }

        /// The processor time that it has used, in nanoseconds; -1 if that is unknown.
        private var processorTime: Int64 { clock.map(darkroom_processor_time) ?? -1 }

        private func look(_ watch: inout CallWatch) throws {
            // One that has replied meanwhile is waiting for the next call.
            let state = { () -> CChar in
                let state = darkroom_process_state(self.pid)
                return darkroom_has_packet(self.socket) ? 0 : state
            }
            switch watch.verdict(processorTime: processorTime, state: state) {
            case .wait: break
            case .askToStop: unsafe darkroom_store_byte(input, 1)
            case .end(let reason):
                _ = end()
                throw reason
            }
        }

        /// Lets the kernel end a worker that works on although its parent is gone: `timeLeft` after `processorTime`, in
        /// nanoseconds.
        private func limitProcessorTime(_ timeLeft: Duration, after processorTime: Int64) {
            let needed =
                Duration.nanoseconds(max(0, processorTime)) + min(timeLeft, .seconds(1_000_000))
                * configuration.threadCount + .seconds(5)
            guard processorTimeLimit < needed else { return }
            processorTimeLimit = needed + .seconds(5)
            darkroom_limit_processor_time(pid, UInt64(processorTimeLimit.components.seconds + 1))
        }
    }

    extension ImageError {
        static let noSharedMemory = ImageError(
            .busy, .decode, "the system has no memory to share with a worker process at the moment")
    }
#endif
