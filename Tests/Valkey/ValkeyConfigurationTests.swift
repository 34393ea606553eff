#if Valkey
    import DarkroomCore
    import DarkroomValkey
    import FoundationEssentials
    import Testing

    struct ValkeyConfigurationTests {
        private func configuration(_ text: String) throws -> ValkeyConfiguration {
            try ValkeyConfiguration(url: #require(URL(string: text)))
        }

        @Test func allPartsOfAURLAreUsed() throws {
            let configuration = try configuration("rediss://node:p%40ss@engine.example.com:6380/12")
            #expect(configuration.address == ValkeyAddress(host: "engine.example.com", port: 6380))
            #expect(configuration.username == "node")
            #expect(configuration.password == "p@ss")
            #expect(configuration.database == 12)
            #expect(configuration.tls != nil)
        }

        @Test(arguments: ["redis://localhost", "valkey://localhost/", "VALKEY://localhost:6379/0"])
        func shortURLHasDefaults(_ text: String) throws {
            let configuration = try configuration(text)
            #expect(configuration.address == ValkeyAddress(host: "localhost"))
            #expect(configuration.username == nil)
            #expect(configuration.password == nil)
            #expect(configuration.database == 0)
            #expect(configuration.tls == nil)
        }

        @Test func passwordNeedsNoUser() throws {
            let configuration = try configuration("valkeys://:secret@localhost")
            #expect(configuration.username == nil)
            #expect(configuration.password == "secret")
            #expect(configuration.tls != nil)
        }

        @Test func addressMayBeOfIPv6() throws {
            #expect(try configuration("redis://[::1]:7000").address == ValkeyAddress(host: "::1", port: 7000))
        }

        @Test(arguments: [
            "https://localhost", "redis:", "redis:///1", "redis://localhost/x", "redis://localhost/-1", "redis://a:0",
        ])
        func invalidURLIsRefused(_ text: String) throws {
            let error = try #require(throws: ImageError.self) { try configuration(text) }
            #expect(error.kind == .invalidURL)
        }

        @Test func descriptionContainsNoPassword() throws {
            #expect(try "\(configuration("redis://node:secret@localhost/2"))" == "localhost:6379/2")
        }

        @Test func errorContainsNoPassword() throws {
            let error = try #require(throws: ImageError.self) { try configuration("https://node:secret@localhost") }
            #expect(!"\(error)".contains("secret"))
        }
    }
#endif
