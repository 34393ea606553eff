#if HTTP
    import Testing

    @testable import DarkroomHTTP

    struct IPAddressTests {
        @Test(arguments: [
            // The first and last address of each block in IANA's registries.
            "0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.100.100.200",
            "100.127.255.255",
            "127.0.0.0", "127.0.0.1", "127.255.255.255", "168.63.129.16", "169.254.0.0", "169.254.169.254",
            "169.254.255.255", "172.16.0.0", "172.31.255.255", "192.0.0.0", "192.0.0.192", "192.0.0.255", "192.0.2.0",
            "192.0.2.255", "192.88.99.1", "192.168.0.0", "192.168.255.255", "198.18.0.0", "198.19.255.255",
            "198.51.100.0", "203.0.113.255", "224.0.0.0", "239.255.255.255", "240.0.0.0", "255.255.255.255",
            "::", "::1", "::8.8.8.8", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "64:ff9b:1::1", "100::1", "100:0:0:1::1",
            "2001::1", "2001:2::1", "2001:10::1", "2001:20::1", "2001:1ff:ffff::1", "2001:db8::1", "3fff::1", "5f00::1",
            "fc00::1", "fd00:ec2::254", "fdff::1", "fe80::1", "febf::1", "fec0::1", "ff02::1", "ffff::1",
        ])
        func specialAddressIsNotPublic(_ text: String) throws {
            #expect(try !#require(IPAddress(text)).isPublic)
        }

        @Test(arguments: [
            "1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.0",
            "168.63.129.15", "169.253.255.255", "169.255.0.0", "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.0.3.0",
            "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0", "203.0.112.255", "203.0.114.0",
            "223.255.255.255", "::ffff:8.8.8.8", "2001:200::1", "2001:4860:4860::8888", "2001:db7::1", "2001:db9::1",
            "2606:4700::1111", "2a00::1", "3ffe::1", "3fff:1000::1", "64:ff9b::8.8.8.8",
        ])
        func ordinaryAddressIsPublic(_ text: String) throws {
            #expect(try #require(IPAddress(text)).isPublic)
        }

        @Test(arguments: [
            ("64:ff9b::10.1.2.3", ["10.1.2.3"]), ("64:ff9b:1::10.1.2.3", ["10.1.2.3"]),
            ("2002:a01:203::1", ["10.1.2.3"]),
            ("2001:0:102:304::f5fe:fdfc", ["1.2.3.4", "10.1.2.3"]), ("::10.1.2.3", ["10.1.2.3"]),
            ("2a00::5efe:10.1.2.3", ["10.1.2.3"]), ("2a00::200:5efe:10.1.2.3", ["10.1.2.3"]), ("2a00::1", []),
            ("10.1.2.3", []), ("::ffff:10.1.2.3", []),
        ])
        func embeddedAddressesAreFound(_ text: String, _ carried: [String]) throws {
            #expect(try #require(IPAddress(text)).embedded.map(\.description) == carried)
        }

        @Test(arguments: ["64:ff9b::127.0.0.1", "2002:7f00:1::", "2a00::5efe:169.254.169.254", "::ffff:192.168.0.1"])
        func policyAppliesToEmbeddedAddresses(_ text: String) throws {
            #expect(try !HTTPLoader.AddressPolicy.publicOnly.permits(#require(IPAddress(text)), of: "a"))
        }

        @Test func descriptionOfAnAddressCanBeParsed() {
            for text in ["1.2.3.4", "2001:db8:0:0:0:0:0:1", "ff:0:0:0:0:0:0:ffff"] {
                #expect(IPAddress(text)?.description == text)
            }
            #expect(IPAddress("::ffff:1.2.3.4") == IPAddress("1.2.3.4"))
        }

        @Test(arguments: [
            "", "1.2.3", "127.1", "0x7f.0.0.1", "0177.0.0.1", "2130706433", "1.2.3.4 ", "1.2.3.256", "fe80::1%eth0",
            "[::1]",
            "a", "1.2.3.4\0", ":::",
        ])
        func otherFormsAreNoAddress(_ text: String) { #expect(IPAddress(text) == nil) }

        @Test func networkContainsItsAddresses() throws {
            let network = try #require(IPNetwork("10.1.0.0/16"))
            #expect(network.contains(try #require(IPAddress("10.1.255.255"))))
            #expect(!network.contains(try #require(IPAddress("10.2.0.0"))))
            #expect(!network.contains(try #require(IPAddress("::10.1.0.0"))))
            #expect(try #require(IPNetwork("0.0.0.0/0")).contains(try #require(IPAddress("255.1.2.3"))))
            #expect(try #require(IPNetwork("::/0")).contains(try #require(IPAddress("fe80::1"))))
            #expect(try !#require(IPNetwork("1.2.3.4")).contains(try #require(IPAddress("1.2.3.5"))))
        }

        @Test(arguments: [
            "", "a/8", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "10.0.0.0/8/8", "::/129", "10.0.0.0/+8",
        ])
        func otherFormsAreNoNetwork(_ text: String) { #expect(IPNetwork(text) == nil) }
    }
#endif
