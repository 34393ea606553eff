#if os(Linux) || os(macOS)
    import DarkroomTestKit

    /// How load balancers choose the node of a request.
    enum Balancing: Sendable {
        /// At random.
        case random
        /// By consistent hash of the source. Each balancer takes a node for dead with the probability `disagreement`.
        case hash(balancerCount: Int = 1, disagreement: Double = 0)
        /// The same, but a node whose requests in flight exceed the mean by this factor is skipped, as with
        /// `hash-balance-factor` of haproxy.
        case bounded(Double)
    }

    /// The load balancers of a fleet.
    struct Balancer: Sendable {
        private let runtime: VirtualRuntime
        private let balancing: Balancing
        private let ring: HashRing?
        /// The nodes that each balancer takes for dead.
        private let missing: [Set<Int>]
        private let nodeCount: Int
        private let loads: Locked<[Int]>

        init(_ balancing: Balancing, nodeCount: Int, runtime: VirtualRuntime) {
            (self.runtime, self.balancing, self.nodeCount) = (runtime, balancing, nodeCount)
            loads = Locked(Array(repeating: 0, count: nodeCount))
            switch balancing {
            case .random: (ring, missing) = (nil, [])
            case .bounded: (ring, missing) = (HashRing(serverCount: nodeCount), [])
            case .hash(let balancerCount, let disagreement):
                ring = HashRing(serverCount: nodeCount)
                missing = (0..<balancerCount).map { _ in
                    Set((0..<nodeCount).filter { _ in runtime.chance(disagreement) })
                }
            }
        }

        /// Returns the node for a request of `source`, whose load grows until the request is over.
        func node(for source: Herd.Source) -> Int {
            let node = choice(for: source)
            loads.withLock { $0[node] += 1 }
            return node
        }

        func endRequest(at node: Int) { loads.withLock { $0[node] -= 1 } }

        private func choice(for source: Herd.Source) -> Int {
            guard let ring else { return Int(runtime.random(in: 0...Int64(nodeCount - 1))) }
            if case .bounded(let factor) = balancing {
                let loads = loads.value
                let limit = (Double(loads.reduce(1, +)) * factor / Double(nodeCount)).rounded(.up)
                return ring.server(of: source.url) { Double(loads[$0]) < limit }
            }
            let missing = missing[Int(runtime.random(in: 0...Int64(missing.count - 1)))]
            return ring.server(of: source.url) { !missing.contains($0) }
        }
    }
#endif
