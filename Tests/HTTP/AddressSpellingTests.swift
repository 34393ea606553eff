#if HTTP
    import DarkroomCore
    import DarkroomPlatform
    import DarkroomTestKit
    import FoundationEssentials
    import TestSupport
    import Testing

    @testable import DarkroomHTTP

    /// However a forbidden address is written, nothing connects to it.
    @Suite(.bounded)
    struct AddressSpellingTests {
        private static let forbidden: [[UInt32]] = [
            [127, 0, 0, 1], [0, 0, 0, 0], [10, 1, 2, 3], [169, 254, 169, 254], [100, 100, 100, 200],
            [168, 63, 129, 16],
            [255, 255, 255, 255],
        ]

        private let lookups = Recorder<String>()

        /// Returns a loader that resolves no name, and notes all that it would have resolved.
        private func loader(_ policy: HTTPLoader.AddressPolicy = .publicOnly) -> HTTPLoader {
            HTTPLoader {
                $0.addressPolicy = policy
                $0.lookup = { [lookups] host in
                    lookups.note(host)
                    return host == "pictures.test" ? [IPAddress("127.0.0.1")].compactMap(\.self) : []
                }
            }
        }

        /// Whether a resolver may take `host` for an address without asking anybody.
        private func isNumeric(_ host: String) -> Bool {
            var (four, six) = (in_addr(), in6_addr())
            guard unsafe inet_aton(host, &four) == 0 else { return true }
            guard unsafe inet_pton(AF_INET6, host, &six) != 1 else { return true }
            return !host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "%") }
        }

        private func expectRefusal(_ loader: HTTPLoader, _ url: URL, _ text: String) async {
            let before = lookups.values.count
            do {
                _ = try await loader.data(url)
                Issue.record("\(text) was loaded")
            } catch let error as ImageError where error.kind == .network {
                // A name, of which the resolver says that there is none.
                let hosts = lookups.values.dropFirst(before)
                #expect(hosts.count == 1 && !hosts.contains(where: isNumeric), "\(text): \(hosts), \(error)")
            } catch {
                let kind = (error as? ImageError)?.kind
                #expect(kind == .refused || kind == .invalidURL, "\(text): \(error)")
                #expect(lookups.values.count == before, "\(text)")
            }
        }

        @Test(arguments: forbidden) func everySpellingIsRefused(_ bytes: [UInt32]) async {
            let (loader, spellings) = (loader(), AddressSpellings(bytes))
            let texts =
                [spellings.plain].map { "http://\($0)/" } + spellings.hosts.map { "http://\($0)/" } + spellings.urls
            for text in texts {
                for url in [URL(string: text), HTTPLoader.url(from: text)] {
                    if let url, loader.canLoad(url) { await expectRefusal(loader, url, text) }
                }
            }
        }

        /// The origin of a redirect is allowed, and its target, on the same port, is not.
        @Test func everySpellingInARedirectIsRefused() async throws {
            let spellings = AddressSpellings([127, 0, 0, 2])
            let texts = spellings.hosts.map { "http://\($0):PORT/" } + spellings.urls
            let routes: [String: LoopbackServer.Handler] = [
                "/away": { request, reply in
                    let port = request.headers["host"]?.split(separator: ":").last ?? ""
                    let index = Int(request.path.split(separator: "?").last ?? "") ?? 0
                    try await reply.redirect(to: texts[index].replacing("PORT", with: port))
                }
            ]
            try await LoopbackServer.serving(routes) { server in
                let loader = loader(.networks("127.0.0.1"))
                for (index, text) in texts.enumerated() {
                    // Those that no field of a header can have.
                    guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) else { continue }
                    let before = server.requests.count
                    let error = await #expect(throws: ImageError.self, "\(text)") {
                        _ = try await loader.data(server.url("/away?\(index)", host: "pictures.test"))
                    }
                    let kinds: [ImageError.Kind] = [.refused, .invalidURL, .network, .status]
                    #expect(error.map { kinds.contains($0.kind) } == true, "\(text): \(error.debugDescription)")
                    #expect(server.requests.count <= before + 6, "\(text)")
                    #expect(
                        server.requests.dropFirst(before).allSatisfy {
                            $0.headers["host"]?.hasPrefix("pictures.test:") == true
                        })
                }
                #expect(!lookups.values.contains(where: isNumeric))
            }
        }

        /// A name that leads to an address of IPv6 in which the forbidden one is embedded.
        @Test(arguments: forbidden) func everyEmbeddingAddressIsRefused(_ bytes: [UInt32]) throws {
            let everything = HTTPLoader.AddressPolicy.networks("::/0").or(.publicOnly)
            for text in AddressSpellings(bytes).embedding {
                let address = try #require(IPAddress(text), "\(text)")
                #expect(!HTTPLoader.AddressPolicy.publicOnly.permits(address, of: "a.test"), "\(text)")
                // Even if the network of the outer address is allowed.
                #expect(!everything.permits(address, of: "a.test"), "\(text)")
            }
        }
    }
#endif
