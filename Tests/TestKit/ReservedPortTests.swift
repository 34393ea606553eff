#if os(Linux)
    import DarkroomPlatform
    import DarkroomTestKit
    import Testing

    struct ReservedPortTests {
        @Test func serverMayListenTwice() throws {
            let port = try ReservedPort()
            for _ in 0..<2 {
                let server = Socket()
                #expect(server.isReused() && server.bind(port.number) && server.listens())
                let client = Socket()
                #expect(client.connect(port.number))
            }
        }

        @Test(.enabled(if: Socket().canOnlyHave(1024), "Linux is older than 6.3"))
        func isGivenToNoSocketThatAsksForAnyPort() throws {
            let port = try ReservedPort()
            let listener = Socket()
            #expect(listener.isReused() && listener.bind(0) && listener.listens())
            let (server, client) = (Socket(), Socket())
            #expect(server.canOnlyHave(port.number) && client.canOnlyHave(port.number))
            #expect(server.isReused() && !server.bind(0) && errno == EADDRINUSE)
            #expect(!client.connect(listener.port) && errno == EADDRNOTAVAIL)
        }

        @Test func isFreeOnceTheObjectIsGone() throws {
            let number = try ReservedPort().number
            #expect(Socket().bind(number))
        }

        @Test func reportsThatNoDescriptorIsLeft() async {
            await #expect(processExitsWith: .success) {
                ProcessLimit.openFileCount(0).set()
                let error = #expect(throws: POSIXError.self) { try ReservedPort() }
                precondition(error?.code == .EMFILE)
            }
        }
    }

    /// A socket, whose methods return whether they succeed.
    private final class Socket {
        private let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)

        deinit { close(descriptor) }

        var port: UInt16 {
            var (address, size) = (sockaddr_in(), socklen_t(MemoryLayout<sockaddr_in>.size))
            unsafe withUnsafeMutablePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    _ = unsafe getsockname(descriptor, pointer, &size)
                }
            }
            return UInt16(bigEndian: address.sin_port)
        }

        func isReused() -> Bool { set(SO_REUSEADDR, of: SOL_SOCKET, 1) }

        /// Limits the ports that the system may choose to one (`IP_LOCAL_PORT_RANGE` of ip(7)).
        func canOnlyHave(_ port: UInt16) -> Bool { set(51, of: CInt(IPPROTO_IP), UInt32(port) << 16 | UInt32(port)) }

        func bind(_ port: UInt16) -> Bool { unsafe with(port) { unsafe DarkroomPlatform.bind(descriptor, $0, $1) } }

        func listens() -> Bool { listen(descriptor, 1) == 0 }

        func connect(_ port: UInt16) -> Bool {
            unsafe with(port) { unsafe DarkroomPlatform.connect(descriptor, $0, $1) }
        }

        private func set(_ option: CInt, of level: CInt, _ value: UInt32) -> Bool {
            var value = value
            return unsafe setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<UInt32>.size)) == 0
        }

        private func with(_ port: UInt16, _ call: (UnsafePointer<sockaddr>, socklen_t) -> CInt) -> Bool {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            address.sin_port = port.bigEndian
            return unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                    unsafe call(pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
        }
    }
#endif
