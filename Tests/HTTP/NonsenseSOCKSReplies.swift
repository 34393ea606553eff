#if HTTP
    import DarkroomTestKit
    import TestSupport

    /// Replies of SOCKS 5 that are almost grammatical, as a hostile proxy would send them. Equal seeds give equal replies.
    struct NonsenseSOCKSReplies: Sendable {
        private var random: SeededGenerator

        init(seed: some BinaryInteger) { random = SeededGenerator(seed: seed) }

        /// Returns the generator of the next connection.
        mutating func next() -> Self { Self(seed: random.next()) }

        /// Returns a script that replies to the greeting and to the request, and follows `rest` if it granted both.
        func script(then rest: @escaping ScriptedPeer.Script) -> ScriptedPeer.Script {
            var copy = self
            return { received in
                guard !received.isEmpty else { return ScriptedPeer.Answer() }
                guard received[0] == 5 else { return rest(received) }
                return ScriptedPeer.Answer([copy.reply(isGreeting: received.count == 3)], closes: copy.below(8) == 0)
            }
        }

        private mutating func reply(isGreeting: Bool) -> [UInt8] {
            var bytes: [UInt8] = isGreeting ? [5, 0] : [5, UInt8(below(4) == 0 ? below(10) : 0), 0] + address()
            guard below(2) == 0 else { return bytes }
            switch below(4) {
            case 0: bytes.removeLast(below(bytes.count))
            case 1: bytes += (0..<below(300)).map { _ in UInt8(below(256)) }
            case 2: bytes += isGreeting ? [5, 0, 0, 1, 0, 0, 0, 0, 0, 0] : [5, 0]
            default: bytes[below(bytes.count)] = UInt8(below(256))
            }
            return bytes
        }

        private mutating func address() -> [UInt8] {
            switch below(6) {
            case 0: [3, UInt8(below(256))] + (0..<below(260)).map { _ in 0xFF }
            case 1: [4] + Array(repeating: 0, count: 18)
            case 2: [UInt8(below(256)), 0, 0, 0, 0, 0, 0]
            default: [1, 0, 0, 0, 0, 0, 0]
            }
        }

        private mutating func below(_ bound: Int) -> Int { bound > 0 ? Int.random(in: 0..<bound, using: &random) : 0 }
    }
#endif
