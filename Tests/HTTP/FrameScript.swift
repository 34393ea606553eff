#if HTTP
    import TestSupport

    /// Frames of HTTP/2, valid or not.
    enum Frame {
        /// Returns a frame with `payload`.
        static func frame(_ type: UInt8, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) -> [UInt8] {
            let length = payload.count
            return [UInt8(length >> 16 & 0xFF), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF), type, flags]
                + bytes(stream) + payload
        }

        /// Settings without a value.
        static let settings = frame(4)

        /// Returns a block of fields, which end the stream if `endsStream`.
        static func headers(
            _ fields: [(name: String, value: String)], stream: UInt32 = 1, endsStream: Bool = false
        ) -> [UInt8] {
            frame(1, flags: endsStream ? 5 : 4, stream: stream, block(fields))
        }

        /// Returns bytes of a body.
        static func data(_ bytes: [UInt8], stream: UInt32 = 1, endsStream: Bool = true) -> [UInt8] {
            frame(0, flags: endsStream ? 1 : 0, stream: stream, bytes)
        }

        /// Returns `fields` as literals without Huffman coding; each text may have at most 126 bytes.
        static func block(_ fields: [(name: String, value: String)]) -> [UInt8] {
            fields.flatMap { field in
                [0] + [field.name, field.value].flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
            }
        }

        /// Returns `number`, high byte first.
        static func bytes(_ number: UInt32) -> [UInt8] {
            stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
        }
    }

    /// The frames that a client has sent.
    struct FrameReader {
        private static let prefaceLength = 24
        private var bytes: [UInt8] = []
        private var hasPreface = false

        /// Returns the streams of the requests that are complete with `received`.
        mutating func requests(in received: [UInt8]) -> [UInt32] {
            frames(in: received).filter { $0.type == 1 }.map(\.stream)
        }

        /// Returns the frames that are complete with `received`.
        mutating func frames(in received: [UInt8]) -> [(type: UInt8, flags: UInt8, stream: UInt32, payload: [UInt8])] {
            bytes += received
            if !hasPreface, bytes.count >= Self.prefaceLength {
                bytes.removeFirst(Self.prefaceLength)
                hasPreface = true
            }
            var frames: [(type: UInt8, flags: UInt8, stream: UInt32, payload: [UInt8])] = []
            while hasPreface, bytes.count >= 9 {
                let length = bytes[..<3].reduce(0) { $0 << 8 | Int($1) }
                guard bytes.count >= 9 + length else { break }
                let stream = bytes[5..<9].reduce(0) { $0 << 8 | UInt32($1) }
                frames.append((bytes[3], bytes[4], stream, Array(bytes[9..<9 + length])))
                bytes.removeFirst(9 + length)
            }
            return frames
        }
    }

    extension ScriptedPeer {
        /// Returns a script that introduces itself with settings, and answers each request with the frames that
        /// `respond` returns for its stream.
        static func frames(_ respond: @escaping (_ stream: UInt32) -> [[UInt8]]) -> Script {
            var reader = FrameReader()
            return { received in
                guard !received.isEmpty else { return Answer([Frame.settings]) }
                return Answer(reader.requests(in: received).flatMap(respond))
            }
        }
    }
#endif
