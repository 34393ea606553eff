#if Valkey
    import DarkroomCore
    import NIOCore
    import NIOPosix
    import NIOSSL

    /// A connection to the engine.
    struct ValkeyConnection: Sendable {
        private let channel: any Channel

        /// Connects to the engine within the configured time.
        static func open(
            _ configuration: ValkeyConfiguration, receivesMessagesAsArrays: Bool, on loop: any EventLoop,
            observer: ReplyHandler.Observer
        ) async throws(ImageError) -> ValkeyConnection {
            let address = configuration.address
            do {
                let channel = try await ClientBootstrap(group: loop)
                    .connectTimeout(TimeAmount(configuration.connectTimeout))
                    .channelOption(.socketOption(.tcp_nodelay), value: 1)
                    .channelInitializer { channel in
                        channel.eventLoop.makeCompletedFuture {
                            let pipeline = channel.pipeline.syncOperations
                            if let tls = configuration.tls { try pipeline.addHandler(tls.handler(host: address.host)) }
                            try pipeline.addHandler(
                                ReplyHandler(receivesMessagesAsArrays: receivesMessagesAsArrays, observer: observer))
                        }
                    }
                    .connect(host: address.host, port: address.port).get()
                return ValkeyConnection(channel: channel)
            } catch {
                throw ImageError(
                    .network, .cache, "the engine of leases at \(address.host):\(address.port) cannot be reached",
                    underlying: error)
            }
        }

        /// Sends `call`. Calls are sent in the order of submission, and none ends before this returns.
        func send(_ call: ValkeyCall) {
            channel.eventLoop.execute { [channel] in
                channel.writeAndFlush(call).whenFailure { error in
                    call.end(
                        .failure(
                            ImageError(
                                .network, .cache, "the connection to the engine of leases was lost", underlying: error))
                    )
                }
            }
        }

        /// Returns the reply to `command`.
        func reply(to command: RESPCommand, within limit: Duration) async throws(ImageError) -> RESPValue {
            let call = ValkeyCall(command, within: limit)
            call.startTimer(on: channel.eventLoop)
            send(call)
            return try await call.value
        }

        /// Closes the connection. Pending calls fail.
        func close() { channel.close(promise: nil) }

        /// Returns once the connection is closed.
        func waitForEnd() async { try? await channel.closeFuture.get() }
    }
#endif
