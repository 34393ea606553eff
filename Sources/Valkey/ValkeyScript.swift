#if Valkey
    import DarkroomCore
    import Synchronization

    /// A script that the engine runs at once. It is sent in full only if the engine does not know it.
    final class ValkeyScript: Sendable {
        private let text: String
        /// The name that the engine has given the script; `nil` if it was not loaded yet.
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

        /// Returns the command that runs the script, whether or not the engine knows it.
        func command(keys: [String], arguments: [String]) -> RESPCommand {
            RESPCommand(["EVAL", text, "\(keys.count)"] + keys + arguments)
        }

        /// Returns the name of the script; `nil` if the engine does not permit loading it.
        private func digest(_ client: ValkeyClient, within limit: Duration) async throws(ImageError) -> String? {
            if let digest = digest.withLock({ $0 }) { return digest }
            let reply = try await client.reply(to: RESPCommand("SCRIPT", "LOAD", text), within: limit)
            digest.withLock { $0 = reply.text }
            return reply.text
        }
    }

    extension RESPValue {
        /// Returns this value; throws the error that the engine reports, if it is one.
        func checked() throws(ImageError) -> RESPValue {
            try checkError()
            return self
        }
    }
#endif
