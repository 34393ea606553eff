#if HTTP
    import AsyncHTTPClient
    import DarkroomCore
    import NIOCore

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #else
        import Darwin
    #endif

    /// Asks the system for the addresses of hosts, on threads of its own.
    struct SystemLookup: Sendable {
        // A look-up that hangs holds up one thread, and those behind it for no longer than they want to wait.
        private let executor = WorkExecutor(name: "lookup", width: 4)

        /// All addresses of `host`, best first. Cancelling the task leaves at once.
        func addresses(of host: String) async throws -> [IPAddress] {
            let isAbandoned = CancellationFlag()
            let answer = HTTPClient.defaultEventLoopGroup.any().makePromise(of: [IPAddress].self)
            // Nobody can interrupt a look-up. Once its waiter has left, it ends by itself, or is never begun.
            answer.completeWithTask { [executor] in
                try await executor.run {
                    try isAbandoned.check()
                    return try Self.resolve(host)
                }
            }
            return try await withTaskCancellationHandler {
                try await answer.futureResult.get()
            } onCancel: {
                isAbandoned.set()
                answer.fail(CancellationError())
            }
        }

        private static func resolve(_ host: String) throws(ImageError) -> [IPAddress] {
            var hints = unsafe addrinfo()
            #if canImport(Glibc)
                unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
            #else
                unsafe hints.ai_socktype = SOCK_STREAM
            #endif
            var list: UnsafeMutablePointer<addrinfo>?
            let code = unsafe getaddrinfo(host, nil, &hints, &list)
            defer { if let list = unsafe list { unsafe freeaddrinfo(list) } }
            guard code == 0 else {
                let reason = unsafe String(cString: gai_strerror(code))
                throw ImageError(.network, .load, "the address of \(host) cannot be found: \(reason)")
            }
            var addresses: [IPAddress] = []
            var next = unsafe list
            while let entry = unsafe next?.pointee {
                if let address = unsafe IPAddress(entry) { addresses.append(address) }
                unsafe next = entry.ai_next
            }
            return addresses
        }
    }

    extension IPAddress {
        /// The address in one entry of the system's answer; `nil` for one of another family.
        fileprivate init?(_ entry: addrinfo) {
            guard let address = unsafe UnsafeRawPointer(entry.ai_addr) else { return nil }
            switch unsafe entry.ai_family {
            case AF_INET: self.init(unsafe address.loadUnaligned(as: sockaddr_in.self).sin_addr)
            case AF_INET6: self.init(unsafe address.loadUnaligned(as: sockaddr_in6.self).sin6_addr)
            default: return nil
            }
        }
    }
#endif
