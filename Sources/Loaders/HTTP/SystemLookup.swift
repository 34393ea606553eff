#if HTTP
    import DarkroomCore
    import DarkroomPlatform
    import Synchronization

    /// Resolves hosts with the system's resolver, on threads of its own.
    final class SystemLookup: Sendable {
        private typealias Addresses = FirstValue<Result<[IPAddress], ImageError>>

        // A lookup whose DNS server does not answer blocks one thread, often for longer than anyone waits: with the defaults of
        // glibc, for 10 s for each server in resolv.conf. So there are many threads, which are started when they are needed.
        private let executor = WorkExecutor(name: "lookup", width: 64)
        private let resolve: @Sendable (_ host: String) throws(ImageError) -> [IPAddress]
        /// Those who wait for the lookup of a host. They share it, because one that hangs would block a thread for each.
        private let waiters = Mutex<[String: [Addresses]]>([:])

        /// Creates a lookup that calls `resolve` on its threads; by default, the system's resolver.
        init(_ resolve: @escaping @Sendable (_ host: String) throws(ImageError) -> [IPAddress] = SystemLookup.resolve) {
            self.resolve = resolve
        }

        /// Returns all addresses of `host`, best first. A cancelled task stops waiting at once, and starts no lookup.
        func addresses(of host: String) async throws -> [IPAddress] {
            try Task.checkCancellation()
            let addresses = Addresses()
            let isFirst = waiters.withLock { waiters in
                waiters[host, default: []].append(addresses)
                return waiters[host]?.count == 1
            }
            if isFirst { executor.enqueue { self.lookUp(host) } }
            guard let result = await addresses.value(ifCancelled: nil) else { throw CancellationError() }
            return try result.get()
        }

        /// Looks up `host` for all who wait for it. A lookup cannot be interrupted: after they have left, it runs to its end
        /// unobserved, or never starts.
        private func lookUp(_ host: String) {
            let isWanted = waiters.withLock { waiters in
                if waiters[host]?.allSatisfy(\.isKnown) ?? true { waiters[host] = nil }
                return waiters[host] != nil
            }
            guard isWanted else { return }
            let result = Result { () throws(ImageError) in try resolve(host) }
            for waiter in waiters.withLock({ $0.removeValue(forKey: host) }) ?? [] { waiter.offer(result) }
        }

        @Sendable static func resolve(_ host: String) throws(ImageError) -> [IPAddress] {
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
