#if os(Linux)
    import CIsolation
    import DarkroomCore
    import DarkroomPlatform

    /// A call to a worker.
    struct Call {
        let operation: Operation
        /// The reasons to stop early.
        let monitor: WorkMonitor
        var message = MessageWriter()
        /// Memory for this call only, each -1 for none.
        var descriptors: (input: Int32, output: Int32) = (-1, -1)
        /// The number of bytes of pixels, or of a file, that the worker may deliver.
        private(set) var outputCapacity = Layout.pixelCapacity

        init(_ operation: Operation, _ monitor: WorkMonitor) {
            self.operation = operation
            self.monitor = monitor
        }

        var clock: WorkClock { monitor.clock }

        func check() throws { try monitor.check() }

        /// Makes memory for an output of up to `byteCount` bytes, if the shared memory may not keep as many.
        mutating func prepareOutput(_ byteCount: Int, _ configuration: WorkerPool.Configuration) throws(ImageError) {
            guard byteCount > configuration.keptByteCount else { return }
            descriptors.output = darkroom_make_memory(byteCount)
            guard descriptors.output >= 0 else { throw .noSharedMemory }
            outputCapacity = byteCount
        }

        /// Closes the memory of this call.
        func closeDescriptors() {
            for descriptor in [descriptors.input, descriptors.output] where descriptor >= 0 { close(descriptor) }
        }

        /// Returns the packet of the call.
        func packet(_ sequence: UInt64) -> [UInt8] {
            var packet = MessageWriter()
            packet.put(sequence)
            packet.put(operation.rawValue)
            packet.put(clock.timeLeft)
            packet.put(descriptors.input >= 0)
            return packet.bytes + message.bytes
        }
    }

    /// The reply of a worker.
    struct Reply {
        let status: Status
        /// The processor time that the call has taken, as the worker says, which may be any number.
        let timeSpent: Duration
        /// The size of the payload in the output.
        let byteCount: Int

        /// Reads the reply to the call `sequence`. One to another call was not asked for, and so is malformed.
        init(_ bytes: [UInt8], sequence: UInt64) throws(MalformedMessage) {
            var reader = MessageReader(bytes)
            guard try reader.integer(UInt64.self) == sequence, let status = Status(rawValue: try reader.integer())
            else {
                throw MalformedMessage()
            }
            self.status = status
            timeSpent = .nanoseconds(try reader.count())
            byteCount = try reader.count()
            guard reader.isAtEnd else { throw MalformedMessage() }
        }
    }
#endif
