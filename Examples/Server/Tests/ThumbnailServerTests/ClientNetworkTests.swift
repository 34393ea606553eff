import Testing

@testable import ThumbnailServer

struct ClientNetworkTests {
    @Test(
        .bug(id: "Fix rate limits that each address of one network has anew"),
        arguments: [
            ("2001:db8:1:2::1", "2001:db8:1:2:ffff::"), ("::ffff:192.0.2.1", "192.0.2.1"),
            ("0:0:0:0:0:FFFF:C000:201", "192.0.2.1"), ("192.0.2.1:8080", "192.0.2.1"),
            ("[2001:db8::1]:8080", "2001:db8::2"), ("[2001:db8::1]", "2001:DB8::9"),
        ]
    )
    func addressesOfOneClientShareANetwork(left: String, right: String) throws {
        let network = try #require(ClientNetwork(left.utf8))
        #expect(network == ClientNetwork(right.utf8))
    }

    @Test func addressesOfOtherClientsDiffer() {
        let texts = ["2001:db8:1:2::1", "2001:db8:1:3::1", "192.0.2.1", "192.0.2.2", "::192.0.2.1", "::1", "fe80::1"]
        #expect(Set(texts.map { ClientNetwork($0.utf8) }).count == 6, "::1 and ::192.0.2.1 are of one /64")
        #expect(!texts.contains { ClientNetwork($0.utf8) == nil })
    }

    @Test(arguments: ["", "unknown", "_hidden", "1.2.3", "01.2.3.4.5", "1.2.3.4\0", "fe80::1%eth0", "[", "::1]x", "é"])
    func otherTextIsNoAddress(_ text: String) { #expect(ClientNetwork(text.utf8) == nil) }
}
