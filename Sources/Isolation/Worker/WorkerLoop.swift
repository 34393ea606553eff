#if os(Linux)
    import CIsolation
    import DarkroomCore
    import DarkroomPlatform

    /// The work of a worker process: it receives calls, one at a time, and replies.
    ///
    /// It runs on the only thread of the process, which uses neither tasks nor Dispatch: their threads read files about
    /// themselves once a second, and end the process when they cannot.
    @safe final class WorkerLoop {
        private let input: UnsafeRawPointer
        private let output: UnsafeMutableRawPointer
        private var packet = [UInt8](repeating: 0, count: Layout.packetCapacity)
        private var work: WorkerWork

        /// Prepares the process, restricts it for ever, and tells its parent.
        init(_ configure: (inout ImageManager.Components) throws -> Void) {
            var memories: (Int32, Int32) = (-1, -1)
            let count = unsafe darkroom_receive(Layout.channel, &packet, packet.count, &memories.0, &memories.1)
            var reader = MessageReader(Array(packet[..<max(0, count)]))
            guard let configuration = try? reader.configuration(),
                let input = unsafe darkroom_map_memory(memories.0, Layout.inputByteCount, false),
                let output = unsafe darkroom_map_memory(memories.1, Layout.outputByteCount, true)
            else { _exit(70) }
            close(memories.0)
            close(memories.1)
            darkroom_become_nicer(Int32(clamping: configuration.niceness))
            unsafe (self.input, self.output) = (UnsafeRawPointer(input), output)
            var greeting = Greeting()
            if !configuration.allowsThreads { LibraryThreads.forbid() }
            do {
                PixelMemory.prepareForWorker(cacheByteLimit: configuration.keptByteCount)
                let coders = try Self.coders(configure)
                work = unsafe WorkerWork(coders, isCancelled: Self.isCancelled(UnsafeRawPointer(input)))
                greeting.coders = CoderName.names(of: coders.coders)
                greeting.refusal = Self.refusal(configuration)
            } catch {
                work = WorkerWork(CoderRegistry(), isCancelled: { true })
                greeting.refusal = ImageError(error, in: .request).message
            }
            if greeting.refusal == nil { greeting.protection = Self.restrict(configuration) }
            var message = MessageWriter()
            message.put(greeting)
            send(message)
            guard greeting.refusal == nil else { _exit(71) }
        }

        /// Receives and replies until the parent closes the channel, or ends.
        func run() -> Never {
            while true {
                var descriptors: (Int32, Int32) = (-1, -1)
                let count = unsafe darkroom_receive(
                    Layout.channel, &packet, packet.count, &descriptors.0, &descriptors.1)
                guard count > 0 else { _exit(0) }
                send(reply(to: Array(packet[..<count]), descriptors))
            }
        }

        private func send(_ message: MessageWriter) {
            guard unsafe darkroom_send(Layout.channel, message.bytes, message.bytes.count, -1, -1) == 0 else {
                _exit(0)
            }
        }

        private func reply(to packet: [UInt8], _ descriptors: (Int32, Int32)) -> MessageWriter {
            var reader = MessageReader(packet)
            guard let sequence = try? reader.integer(UInt64.self), let number = try? reader.integer(UInt8.self),
                let operation = Operation(rawValue: number), let timeLeft = try? reader.duration(),
                let hasInput = try? reader.bool()
            else { _exit(72) }
            let start = Int(darkroom_thread_time())
            // The first descriptor that was sent is that of the output if there is none for the input.
            let descriptors = hasInput ? descriptors : (-1, descriptors.0)
            let memory = unsafe CallMemory(input: input, output: output, descriptors: descriptors)
            let answer = work.answer(operation, &reader, memory, timeLeft: timeLeft)
            let byteCount = min(answer.payload.bytes.count, Layout.payloadCapacity)
            unsafe answer.payload.bytes.withUnsafeBytes { bytes in
                guard let start = bytes.baseAddress else { return }
                unsafe output.copyMemory(from: start, byteCount: byteCount)
            }
            var reply = MessageWriter()
            reply.put(sequence)
            reply.put(answer.status.rawValue)
            reply.put(Int(darkroom_thread_time()) - start)
            reply.put(byteCount)
            return reply
        }
    }

    // Preparations.
    extension WorkerLoop {
        private static func coders(
            _ configure: (inout ImageManager.Components) throws -> Void
        ) throws -> CoderRegistry {
            var components = ImageManager.Components()
            try configure(&components)
            var coders = components.coders
            // Its own coders work here.
            coders.host = nil
            prepare(coders)
            return coders
        }

        /// Initializes what is initialized on first use, and may then need what is forbidden.
        private static func prepare(_ coders: CoderRegistry) {
            _ = SystemProcessors.usableCount
            _ = ImageError.cancelled.description
            _ = try? JSONDecoder().decode([Double].self, from: JSONEncoder().encode([0.5]))
            // None of them is a picture, but libraries get ready.
            for coder in coders.coders {
                let start = coder.formats.first?.signatures.first?.bytes.map { $0 ?? 0 } ?? Array("<svg/>".utf8)
                let data = Data(start + [UInt8](repeating: 0, count: 64))
                _ = coder.canDecode(data)
                _ = try? coder.info(of: InfoRequest(data: data))
            }
        }

        private static func refusal(_ configuration: WorkerPool.Configuration) -> String? {
            let count = darkroom_thread_count()
            guard count > 1, !configuration.allowsThreads, !darkroom_is_thread_sanitized() else { return nil }
            return
                "it has \(count) threads; start none before or in the function that is passed to WorkerProcess.runIfStarted"
        }

        private static func restrict(_ configuration: WorkerPool.Configuration) -> WorkerPool.Protection {
            let folders = unsafe configuration.readableFolders.map { unsafe UnsafePointer(strdup($0)) }
            // They are never released: the process has no use for their memory.
            let layers = unsafe folders.withUnsafeBufferPointer { folders in
                var restrictions = unsafe darkroom_restrictions(
                    address_space: UInt64(configuration.memoryByteCount), allows_threads: configuration.allowsThreads,
                    readable_folders: folders.baseAddress, readable_folder_count: folders.count)
                return unsafe darkroom_restrict(&restrictions)
            }
            return WorkerPool.Protection(rawValue: Int(layers))
        }

        private static func isCancelled(_ input: UnsafeRawPointer) -> @Sendable () -> Bool {
            let address = UInt(bitPattern: input)
            return { unsafe UnsafeRawPointer(bitPattern: address).map { unsafe darkroom_load_byte($0) != 0 } ?? false }
        }
    }
#endif
