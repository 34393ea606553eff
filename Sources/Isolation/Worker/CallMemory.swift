#if os(Linux)
    import CIsolation
    import DarkroomCore
    import DarkroomPlatform

    /// The memory of one call in a worker: what it shares with its parent, or what was sent for this call only.
    @safe struct CallMemory {
        private let input: UnsafeRawPointer
        private let output: UnsafeMutableRawPointer
        private let descriptors: (input: Int32, output: Int32)

        init(input: UnsafeRawPointer, output: UnsafeMutableRawPointer, descriptors: (Int32, Int32)) {
            unsafe (self.input, self.output) = (input, output)
            self.descriptors = descriptors
        }

        /// Returns the input of `count` bytes. That in the shared memory is valid until the next call.
        func data(count: Int) throws(MalformedMessage) -> Data {
            guard count >= 0 else { throw MalformedMessage() }
            guard descriptors.input >= 0 else {
                guard count <= Layout.inputCapacity else { throw MalformedMessage() }
                let start = unsafe UnsafeMutableRawPointer(mutating: input + Layout.inputOffset)
                return unsafe Data(bytesNoCopy: start, count: count, deallocator: .none)
            }
            guard count > 0, let start = unsafe darkroom_map_memory(descriptors.input, count, false) else {
                return Data()
            }
            return unsafe Data(
                bytesNoCopy: start, count: count, deallocator: .custom { start, count in unsafe munmap(start, count) })
        }

        /// Calls `body` with memory for `count` bytes, in which the parent expects them.
        func withOutput<Result>(
            count: Int, _ body: (UnsafeMutableRawPointer) throws -> Result
        ) throws -> Result {
            guard descriptors.output >= 0 else {
                guard count <= Layout.pixelCapacity else { throw MalformedMessage() }
                return try unsafe body(output.advanced(by: Layout.payloadCapacity))
            }
            guard let start = unsafe darkroom_map_memory(descriptors.output, max(1, count), true) else {
                throw ImageError(.overLimit, .decode, "the system has no memory for an image of \(count) bytes")
            }
            defer { unsafe munmap(start, max(1, count)) }
            return try unsafe body(start)
        }

        /// Closes what was sent for this call only. Memory that is mapped stays.
        func close() {
            for descriptor in [descriptors.input, descriptors.output] where descriptor >= 0 {
                _ = DarkroomPlatform.close(descriptor)
            }
        }
    }
#endif
