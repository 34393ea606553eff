#if os(Linux) || os(macOS)
    import DarkroomTestKit
    import Testing

    /// The balance of a thousand nodes.
    struct BalanceTests {
        private static let nodeCount = 1000
        private static let ring = HashRing(serverCount: nodeCount)

        /// The share of a node deviates by √(1/160), and the number of its 100 keys by √(1/100): 13 % together. Of a
        /// thousand nodes, none is beyond five times that.
        @Test func hashSpreadsKeys() {
            var counts = Array(repeating: 0, count: Self.nodeCount)
            for key in 0..<100_000 { counts[Self.ring.server(of: "http://example.com/\(key).jpg")] += 1 }
            let ratio = Double(counts.max() ?? 0) / 100
            print("keys of a node: \(ratio) × the mean at most")
            #expect((1..<1.65).contains(ratio))
        }

        /// Popular sources put more load on one node than it can bear, unless loads are bounded.
        @Test(arguments: [1.25, 1.5]) func boundedLoadsSpreadPopularKeys(_ factor: Double) {
            let requestCount = 100_000
            let law = ZipfLaw(count: 100_000)
            var plain = Array(repeating: 0, count: Self.nodeCount)
            var bounded = plain
            var generator = SeededGenerator(seed: 1)
            for total in 1...requestCount {
                let source = "http://example.com/\(law.next(using: &generator)).jpg"
                plain[Self.ring.server(of: source)] += 1
                let limit = (Double(total) * factor / Double(Self.nodeCount)).rounded(.up)
                bounded[Self.ring.server(of: source) { Double(bounded[$0]) < limit }] += 1
            }
            let mean = Double(requestCount / Self.nodeCount)
            let ratios = [plain, bounded].map { Double($0.max() ?? 0) / mean }
            print("requests of a node: \(ratios[0]) × the mean at most, with loads bounded to \(factor): \(ratios[1])")
            // The most popular source alone has 1/12 of the requests.
            #expect(ratios[0] > 50)
            #expect(ratios[1] <= factor)
        }
    }
#endif
