#if Valkey
    import DarkroomCore
    import NIOCore

    /// The open connections: one for everything with RESP3, and a second one for messages with RESP2.
    struct ValkeySession: Sendable {
        private let commands: ValkeyConnection
        private let messages: ValkeyConnection

        /// Connects to the engine and performs the handshake.
        static func open(
            _ configuration: ValkeyConfiguration, on loop: any EventLoop, observer: ReplyHandler.Observer
        ) async throws(ImageError) -> ValkeySession {
            let first = try await ValkeyConnection.open(
                configuration, receivesMessagesAsArrays: false, on: loop, observer: observer)
            do throws(ImageError) {
                guard try await !first.introduce(configuration) else {
                    return ValkeySession(commands: first, messages: first)
                }
                let second = try await ValkeyConnection.open(
                    configuration, receivesMessagesAsArrays: true, on: loop, observer: observer)
                do throws(ImageError) {
                    try await second.introduceWithRESP2(configuration)
                } catch {
                    second.close()
                    throw error
                }
                return ValkeySession(commands: first, messages: second)
            } catch {
                first.close()
                throw error
            }
        }

        /// Sends `call` on the connection for its kind of reply.
        func send(_ call: ValkeyCall) {
            switch call.reply {
            case .value: commands.send(call)
            case .confirmation: messages.send(call)
            }
        }

        /// Closes all connections.
        func close() {
            commands.close()
            messages.close()
        }

        /// Returns once a connection is closed, and closes the other one.
        func waitForEnd() async {
            await withTaskGroup { group in
                for connection in [commands, messages] {
                    group.addTask {
                        await connection.waitForEnd()
                        close()
                    }
                }
            }
        }
    }

    extension ValkeyConnection {
        /// Performs the handshake, and returns whether the engine supports RESP3.
        fileprivate func introduce(_ configuration: ValkeyConfiguration) async throws(ImageError) -> Bool {
            guard configuration.prefersRESP3 else {
                try await introduceWithRESP2(configuration)
                return false
            }
            var arguments = ["HELLO", "3"]
            if let password = configuration.password {
                arguments += ["AUTH", configuration.username ?? "default", password]
            }
            if let name = configuration.clientName { arguments += ["SETNAME", name] }
            let reply = try await reply(to: RESPCommand(arguments), within: configuration.connectTimeout)
            if let error = reply.error,
                error.hasPrefix("NOPROTO") || error.lowercased().hasPrefix("err unknown command")
            {
                try await introduceWithRESP2(configuration)
                return false
            }
            try reply.checkError()
            try await select(configuration)
            return true
        }

        /// Performs the handshake without `HELLO`, which engines before Redis 6 do not know.
        fileprivate func introduceWithRESP2(_ configuration: ValkeyConfiguration) async throws(ImageError) {
            if let password = configuration.password {
                let arguments = ["AUTH"] + (configuration.username.map { [$0] } ?? []) + [password]
                try await run(RESPCommand(arguments), configuration)
            }
            if let name = configuration.clientName {
                try await run(RESPCommand("CLIENT", "SETNAME", name), configuration)
            }
            try await select(configuration)
        }

        private func select(_ configuration: ValkeyConfiguration) async throws(ImageError) {
            guard configuration.database != 0 else { return }
            try await run(RESPCommand("SELECT", "\(configuration.database)"), configuration)
        }

        private func run(_ command: RESPCommand, _ configuration: ValkeyConfiguration) async throws(ImageError) {
            try await reply(to: command, within: configuration.connectTimeout).checkError()
        }
    }

    extension RESPValue {
        /// Throws the error reported by the engine, if this is one.
        func checkError() throws(ImageError) {
            guard let error else { return }
            throw ImageError(.refused, .cache, "the engine of leases reports the error \(error.prefix(200))")
        }
    }
#endif
