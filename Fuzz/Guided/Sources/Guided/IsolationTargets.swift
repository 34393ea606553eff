#if os(Linux)
    import DarkroomCore
    import DarkroomGIF
    @testable import DarkroomIsolation
    import DarkroomJPEG
    import DarkroomPNG
    import DarkroomWebP
    import FoundationEssentials

    extension FuzzTarget {
        private static let formats: [ImageFormat] = [.png, .jpeg, .gif, .webp]

        /// Messages between the processes of a worker pool. The first byte of an input says which message it is.
        static let isolation: [FuzzTarget] = [
            FuzzTarget("worker-replies", seeds: replies) { input in
                let bytes = Array(input.bytes.dropFirst())
                var reader = MessageReader(bytes)
                switch (input.bytes.first ?? 0) % 4 {
                case 0:
                    let info = try reader.info(formats: formats)
                    demand(info.frameCount >= 1, "\(info.frameCount) frames")
                    demand(info.frameDurations.reduce(.zero, +) >= .zero, "negative duration")
                    _ = try? DecodeLimits.default.check(info)
                    // A message that is read once is written and read in the same way.
                    var again = MessageReader(message(info))
                    demand(message(try again.info(formats: formats)) == message(info), "the header changes")
                    // The remarks on a small picture follow its header.
                    _ = try? reader.remarks()
                case 1:
                    let error = try reader.error()
                    demand(error.message.utf8.allSatisfy { $0 >= 0x20 }, "a control character in \(error.message)")
                    demand(error.kind != .crashed && error.kind != .cancelled, "a worker says \(error.kind)")
                case 2:
                    let greeting = try Greeting(&reader)
                    demand(greeting.coders.count <= bytes.count, "\(greeting.coders.count) coders")
                default: demand(try Reply(bytes, sequence: 7).byteCount >= 0, "a negative size")
                }
            },
            FuzzTarget("worker-calls", seeds: calls) { input in
                var reader = MessageReader(Array(input.bytes.dropFirst()))
                switch (input.bytes.first ?? 0) % 3 {
                case 0:
                    let context = try reader.context(keys: keys)
                    var again = MessageReader(try message(context))
                    demand(try message(again.context(keys: keys)) == message(context), "the options change")
                case 1: _ = try reader.limits()
                default: demand(try reader.configuration().memoryByteCount >= 0, "a negative limit")
                }
            },
        ]

        private static let keys: [any CoderContextKey.Type] = JPEGCoder().contextKeys + PNGCoder().contextKeys

        private static func message(_ info: ImageInfo) -> [UInt8] {
            var writer = MessageWriter()
            writer.put(info)
            return writer.bytes
        }

        private static func message(_ context: ImageContext) throws -> [UInt8] {
            var writer = MessageWriter()
            try writer.put(context, keys: keys)
            return writer.bytes
        }

        @Sendable private static func replies() -> [[UInt8]] {
            var info = ImageInfo(format: .png, storedSize: PixelSize(3, 4))
            (info.iccProfile, info.exif, info.comments) = (Data([1, 2]), Exif(Data("II*\0".utf8)), ["a", "comment"])
            (info.frameCount, info.frameDurations) = (2, [.milliseconds(20), .seconds(1)])
            var (error, greeting, reply) = (MessageWriter(), MessageWriter(), MessageWriter())
            error.put(ImageError(.corrupt, .decode, "the chunk IDAT is too short"))
            var ready = Greeting()
            ready.coders = [CoderName(type: "DarkroomPNG.PNGCoder", ordinal: 1)]
            greeting.put(ready)
            reply.put(UInt64(7))
            reply.put(Status.done.rawValue)
            reply.put(5)
            reply.put(6)
            return [
                [0] + message(info), [0] + message(ImageInfo(format: .jpeg, storedSize: PixelSize(1, 1))),
                [1] + error.bytes, [2] + greeting.bytes, [3] + reply.bytes,
            ]
        }

        @Sendable private static func calls() throws -> [[UInt8]] {
            let context = ImageContext {
                $0.thumbnail = .cover(7, 5, focus: .top)
                $0.quality = 0.5
                $0.background = .white
            }
            var (limits, configuration) = (MessageWriter(), MessageWriter())
            limits.put(DecodeLimits.default)
            configuration.put(WorkerPool.Configuration())
            return [
                [0] + (try message(ImageContext())), [0] + (try message(context)), [1] + limits.bytes,
                [2] + configuration.bytes,
            ]
        }
    }
#endif
