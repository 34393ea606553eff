#if HTTP
    import DarkroomCore
    import DarkroomPlatform

    /// Resolves hosts with the system's resolver, on threads of its own.
    struct SystemLookup: Sendable {
        // A lookup that hangs blocks one thread; lookups queued behind it give up at their own deadlines.
        private let executor = WorkExecutor(name: "lookup", width: 4)

        /// Returns all addresses of `host`, best first. A cancelled task stops waiting at once, and starts no lookup.
        func addresses(of host: String) async throws -> [IPAddress] {
            try Task.checkCancellation()
            let first = FirstValue<Result<[IPAddress], ImageError>>()
            // A lookup cannot be interrupted. After its waiter has left, it runs to its end unobserved, or never
            // starts.
            executor.enqueue {
                if !first.isKnown { first.offer(Result { () throws(ImageError) in try Self.resolve(host) }) }
            }
            guard let result = await first.value(ifCancelled: nil) else { throw CancellationError() }
            return try result.get()
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
                throw ImageError(.network, .load, "the host \(host) cannot be resolved: \(reason)")
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
        /// Creates the address of one entry of the system's list; `nil` for other address families.
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
