#if Valkey
    import DarkroomValkey
    import Testing

    struct ValkeyAddressTests {
        @Test func portIsThatOfTheProtocol() {
            #expect(ValkeyAddress(host: "localhost").port == 6379)
        }
    }
#endif
