#if Network
    import DarkroomCore
    @testable import DarkroomHTTP
    @testable import DarkroomS3
    @testable import DarkroomValkey
    import FoundationEssentials

    extension FuzzTarget {
        private static let origin = URL(string: "https://www.a.test/x/y?z")!

        /// Answers of servers of HTTP, S3 and Valkey, and addresses that users give.
        static let network: [FuzzTarget] = [
            FuzzTarget(
                "cookies",
                texts: [
                    "session=1; Path=/x; Domain=a.test; Secure; HttpOnly; Max-Age=1000\n__Host-a=1; Secure; Path=/",
                    "a=1; Expires=Sun, 06 Nov 2394 08:49:37 GMT\nb=\"2\"; expires=Wed, 21-Oct-99 07:28:00 GMT; path=/x/y",
                ]
            ) { input in
                let store = CookieStore(countLimit: 100)
                for field in input.lines(8) { store.set(field, for: origin) }
                demand(store.count <= 50, "\(store.count) cookies of one domain")
                for other in ["https://b.test/x/y", "https://a.test/x/y", "http://wwwxa.test/"] {
                    demand(store.header(for: URL(string: other)!) == nil, "a cookie is sent to \(other)")
                }
                let header = store.header(for: origin) ?? ""
                demand(header.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "a cookie contains a control character")
            },
            FuzzTarget(
                "typed-urls",
                texts: [
                    "http://b\u{FC}cher.example/a.png", "https://user:pw@A.Example:8080/a/../b?c=d#e",
                    "http://[::1]:80/a",
                    "http://\u{5D0}1/", "http://\u{4F8B}\u{3048}\u{3002}\u{30C6}\u{30B9}\u{30C8}/",
                ]
            ) { input in
                guard let url = HTTPLoader.url(from: input.text) else { return }
                demand(url.absoluteString.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "a URL is not ASCII")
                let again = HTTPLoader.url(from: url.absoluteString)
                demand(again == url, "\(url) becomes \(again.map { "\($0)" } ?? "none")")
            },
            FuzzTarget(
                "addresses", texts: ["192.0.2.1", "2001:db8::1", "::ffff:10.0.0.1", "10.0.0.0/8", "2001:db8::/32"]
            ) { input in
                if let address = IPAddress(input.text) {
                    demand(IPAddress(address.description) == address, "\(address) is another address")
                    if let network = IPNetwork(input.text) { demand(network.contains(address), "not in its network") }
                }
                _ = IPNetwork(input.text)?.contains(IPAddress("127.0.0.1")!)
            },
            FuzzTarget(
                "s3-answers",
                texts: [
                    "<?xml version=\"1.0\"?><Error><Code>PermanentRedirect</Code><Region>eu-west-1</Region></Error>",
                    """
                    <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><IsTruncated>true</IsTruncated>
                    <Contents><Key>a&amp;&#x41;</Key></Contents><NextContinuationToken>t</NextContinuationToken>
                    </ListBucketResult>
                    """,
                ]
            ) { input in
                _ = EngineError(input.data)
                _ = try ObjectList(input.data)
            },
            FuzzTarget(
                "resp",
                texts: [
                    "+OK\r\n:12\r\n$5\r\nhello\r\n*2\r\n$1\r\na\r\n$-1\r\n",
                    "-ERR no\r\n%1\r\n+a\r\n#t\r\n_\r\n,1.5\r\n",
                    ">3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$1\r\nm\r\n",
                ]
            ) { input in
                var choices = input.choices
                let whole = try? parsed(input.bytes) { input.bytes.count }
                let divided = try? parsed(input.bytes) { choices.next(below: 32) + 1 }
                demand(whole == nil || divided == whole, "the values depend on how they are divided")
            },
        ]

        /// Returns the values in `bytes`, which arrive in portions of the sizes that `next` returns.
        private static func parsed(_ bytes: [UInt8], next: () -> Int) throws -> [RESPValue] {
            var (parser, rest, found) = (RESPParser(), bytes[...], [RESPValue]())
            while !rest.isEmpty {
                let portion = rest.prefix(next())
                parser.append(portion)
                rest = rest.dropFirst(portion.count)
                while let value = try parser.next() { found.append(value) }
            }
            return found
        }
    }
#endif
