#if os(Linux) || os(macOS)
    import DarkroomCore

    /// A fleet behind its load balancers.
    final class Fleet: Sendable {
        private let world: World
        private let balancer: Balancer
        private let nodes: Locked<[SimulatedNode]>
        private let lastID: Locked<Int>

        init(_ world: World) {
            self.world = world
            let count = world.scenario.nodeCount
            balancer = Balancer(world.scenario.balancing, nodeCount: count, runtime: world.runtime)
            nodes = Locked((0..<count).map { SimulatedNode(world, id: $0) })
            lastID = Locked(count)
            guard world.scenario.deaths > 0 else { return }
            let observer = SimulatedLeaseEngine.Observer { [weak self] work, node in
                self?.planDeath(of: node, whileDoing: work)
            }
            world.leases.observer.withLock { $0 = observer }
        }

        /// Sends all requests of `arrivals` to the fleet, and returns once all are answered.
        func serve(_ arrivals: [Herd.Arrival]) async {
            var requests: [Task<Void, Never>] = []
            for arrival in arrivals {
                try? await world.runtime.sleep(until: arrival.time)
                requests.append(Task { await serve(arrival) })
            }
            for request in requests { await request.value }
        }

        private func serve(_ arrival: Herd.Arrival) async {
            let place = balancer.node(for: arrival.variant.source)
            defer { balancer.endRequest(at: place) }
            let node = nodes.withLock { $0[place] }
            do {
                try await node.load(arrival.variant)
            } catch  where node.life.isAlive {
                world.noteFault("a request of \(arrival.variant.key) fails: \(error)")
            } catch {}
            let latency = node.life.isAlive ? world.runtime.now - arrival.time : nil
            world.note(.init(arrival: arrival, place: place, latency: latency))
        }

        private func planDeath(of node: Int, whileDoing work: WorkName) {
            let (runtime, scenario) = (world.runtime, world.scenario)
            // Those that take over live: otherwise each death, which ends all work of a node, would cause several others.
            guard work.kind == .original, world.leases.grantCount(of: work) == 1, runtime.chance(scenario.deaths)
            else { return }
            runtime.after(runtime.random(in: .zero...scenario.herd.fetchTime.lowerBound)) { [weak self] in
                self?.replace(node)
            }
        }

        /// Kills the node with this number, and starts a new one in its place.
        private func replace(_ id: Int) {
            guard let place = nodes.withLock({ $0.firstIndex { $0.life.id == id } }) else { return }
            let node = SimulatedNode(
                world,
                id: lastID.withLock { lastID in
                    lastID += 1
                    return lastID
                })
            nodes.withLock { nodes in
                nodes[place].life.end()
                nodes[place] = node
            }
            world.leases.noteDeath(of: id, isSilent: world.scenario.dieSilently)
        }
    }

    enum Simulation {
        /// Simulates `scenario`. Must be called in an exit test.
        static func run(_ scenario: Scenario) throws -> Report {
            let arrivals = scenario.herd.arrivals(seed: scenario.seed)
            let world = try VirtualRuntime.run(seed: scenario.seed) { runtime in
                let world = World(scenario, runtime: runtime)
                for (time, event) in scenario.events { runtime.after(time) { world.perform(event) } }
                await Fleet(world).serve(arrivals)
                return world
            }
            guard let world else { throw Hang(scenario: scenario.name, seed: scenario.seed) }
            return Report(world)
        }

        /// A request that is never answered.
        struct Hang: Error {
            let scenario: String
            let seed: UInt64
        }
    }
#endif
