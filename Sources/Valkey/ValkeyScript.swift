#if Valkey
    import DarkroomCore
    import Synchronization

    /// A script that the engine runs atomically. It is sent in full only if the engine does not have it.
    final class ValkeyScript: Sendable {
        private let text: String
        /// The engine's name for the script; `nil` until it is loaded.
        private let digest = Mutex<String?>(nil)

        init(_ text: String) { self.text = text }

        /// Runs the script, and returns its result.
        func run(
            keys: [String], arguments: [String], on client: ValkeyClient, within limit: Duration
        ) async throws(ImageError) -> RESPValue {
            let end = ContinuousClock.now + limit
            if let digest = try await digest(client, within: limit) {
                let reply = try await client.reply(
                    to: RESPCommand(["EVALSHA", digest, "\(keys.count)"] + keys + arguments), within: end - .now)
                guard reply.error?.hasPrefix("NOSCRIPT") == true else { return try reply.checked() }
            }
            return try await client.reply(to: command(keys: keys, arguments: arguments), within: end - .now).checked()
        }

        /// Returns the command that runs the script, whether or not the engine has it.
        func command(keys: [String], arguments: [String]) -> RESPCommand {
            RESPCommand(["EVAL", text, "\(keys.count)"] + keys + arguments)
        }

        /// Returns the engine's name for the script, which it loads if necessary; `nil` if the engine does not permit
        /// loading.
        private func digest(_ client: ValkeyClient, within limit: Duration) async throws(ImageError) -> String? {
            if let digest = digest.withLock({ $0 }) { return digest }
            let reply = try await client.reply(to: RESPCommand("SCRIPT", "LOAD", text), within: limit)
            digest.withLock { $0 = reply.text }
            return reply.text
        }
    }

    extension RESPValue {
        /// Returns this value, or throws the error that it reports.
        func checked() throws(ImageError) -> RESPValue {
            try checkError()
            return self
        }
    }
#endif
