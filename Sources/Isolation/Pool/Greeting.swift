#if os(Linux)
    import DarkroomCore

    /// The first message of a worker, once it is ready.
    struct Greeting {
        /// Why it cannot work; `nil` if it can.
        var refusal: String?
        var protection: WorkerPool.Protection = []
        /// The coders, in order of registration.
        var coders: [CoderName] = []

        init() {}

        init(_ reader: inout MessageReader) throws(MalformedMessage) {
            refusal = try reader.optional { reader throws(MalformedMessage) in try reader.sentence() }
            protection = WorkerPool.Protection(rawValue: try reader.int())
            coders = try reader.list(byteCount: 8) { reader throws(MalformedMessage) in
                CoderName(type: try reader.string(), ordinal: try reader.int())
            }
        }
    }

    extension MessageWriter {
        mutating func put(_ greeting: Greeting) {
            put(greeting.refusal) { $0.put($1) }
            put(greeting.protection.rawValue)
            put(greeting.coders) {
                $0.put($1.type)
                $0.put($1.ordinal)
            }
        }
    }

    /// The name of a coder in both processes: its type, and which one of that type it is.
    struct CoderName: Hashable, Sendable {
        let type: String
        let ordinal: Int

        /// Returns the names of `coders`.
        static func names(of coders: [any ImageCoder]) -> [CoderName] {
            var counts: [String: Int] = [:]
            return coders.map { coder in
                let type = String(reflecting: Swift.type(of: coder))
                counts[type, default: 0] += 1
                return CoderName(type: type, ordinal: counts[type, default: 0])
            }
        }
    }
#endif
