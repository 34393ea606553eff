#if os(Linux) || os(macOS)
    @testable import DarkroomCore
    import DarkroomPlatform
    import Testing

    /// The result of a simulation.
    struct Report {
        /// The mean and the largest of several counts.
        struct Summary: CustomStringConvertible {
            let mean: Double
            let worst: Int

            init(_ counts: some Collection<Int>) {
                mean = Double(counts.reduce(0, +)) / Double(max(1, counts.count))
                worst = counts.max() ?? 0
            }

            var description: String { "\((mean * 1000).rounded() / 1000) (\(worst))" }
        }

        /// The budget of a request.
        static let budget = Duration.milliseconds(500)

        private let world: World
        let scenario: Scenario

        init(_ world: World) {
            (self.world, scenario) = (world, world.scenario)
            let name = "\(scenario.name), \(scenario.nodeCount) nodes, seed \(scenario.seed)"
            let (median, longest) = (latencies[latencies.count / 2], latencies.last ?? .zero)
            let jobCount = world.runtime.jobCount
            print("\(name): fetches \(fetches), makes \(makes), latency \(median) to \(longest), \(jobCount) jobs")
            addToChart()
        }

        /// The fetches of each source that was requested.
        var fetchCounts: [Herd.Source: Int] { world.fetches }

        /// The fetches of a source.
        var fetches: Summary { Summary(world.fetches.values) }

        /// The times that a variant was made.
        var makes: Summary { Summary(world.makes.values) }

        /// A hash of all that happened, in order.
        var digest: UInt64 { world.digest }

        /// The latencies of all requests that were answered, in order.
        var latencies: [Duration] { world.answers.compactMap(\.latency).sorted() }

        /// The numbers of nodes that were asked for each source.
        var askedNodes: [Herd.Source: Int] { nodesAsked(within: nil) }

        /// The least number of fetches of each source that no lease prevents: that of the nodes that were asked before
        /// the first one can have stored the original.
        var unavoidableFetches: [Herd.Source: Int] {
            nodesAsked { [scenario] source in
                // A node looks for the variant and then for the original, and in between it may wait for a lease.
                let delay = scenario.storeLatency.upperBound * 4 + (scenario.usesLeases ? Self.budget : .zero)
                return scenario.herd.fetchTime(of: source) - delay
            }
        }

        /// Returns the number of holders of the lease of `work` that have died.
        func deathCount(of work: WorkName) -> Int { world.leases.deathCount(of: work) }

        /// Returns the number of times that the lease of `work` was granted.
        func grantCount(of work: WorkName) -> Int { world.leases.grantCount(of: work) }

        /// Returns the time in which a node without a tier makes `variant`.
        func workTime(of variant: Herd.Variant) -> Duration {
            scenario.herd.fetchTime(of: variant.source) + scenario.herd.makeTime(of: variant)
        }

        /// Returns the longest time for which a node that lives holds a lease: its work, its budget, and the wait for its
        /// store.
        func holdTime(of variant: Herd.Variant) -> Duration {
            workTime(of: variant) + Self.budget + storeTime
        }

        /// The longest time for which a holder waits for its store.
        var storeTime: Duration { SharedCaching.defaultStorePatience + scenario.storeLatency.upperBound * 2 }

        /// Checks what holds in every simulation. `allowance` is the time by which a request for a variant may be late,
        /// apart from its work and its budget.
        func checkInvariants(
            allowance: (Herd.Variant) -> Duration = { _ in .zero }, sourceLocation: SourceLocation = #_sourceLocation
        ) {
            let label = "\(scenario.name), \(scenario.nodeCount) nodes, seed \(scenario.seed)"
            func check(_ isTrue: Bool, _ fault: String) {
                #expect(isTrue, "\(label): \(fault)", sourceLocation: sourceLocation)
            }
            check(world.faults.isEmpty, "\(world.faults.prefix(3))")
            check(world.answers.count == scenario.herd.requestCount, "\(world.answers.count) answers")
            check(world.liveNodeCount.value == 0, "tasks of \(world.liveNodeCount.value) nodes are left")
            if scenario.leasesAreReachable {
                check(world.unendedLeaseCount == 0, "\(world.unendedLeaseCount) leases were not ended")
                check(world.listenerCount == 0, "\(world.listenerCount) listeners are left")
            }
            let late = world.answers.filter { answer in
                guard let latency = answer.latency else { return false }
                let variant = answer.arrival.variant
                return latency > workTime(of: variant) + Self.budget + allowance(variant)
            }
            check(late.isEmpty, "\(late.count) requests are late: \(late.prefix(3))")
        }

        private func nodesAsked(within limit: ((Herd.Source) -> Duration)?) -> [Herd.Source: Int] {
            var first: [Herd.Source: Duration] = [:]
            var places: [Herd.Source: Set<Int>] = [:]
            for answer in world.answers.sorted(by: { $0.arrival.time < $1.arrival.time }) {
                let (source, time) = (answer.arrival.variant.source, answer.arrival.time)
                let start = first[source] ?? time
                first[source] = start
                if let limit, time > start, time - start >= limit(source) { continue }
                places[source, default: []].insert(answer.place)
            }
            return places.mapValues(\.count)
        }

        /// Adds a line to the table of the chart: the name, the numbers of nodes, sources and requests, the seed, the mean
        /// and the largest number of fetches and of makes, and three latencies in milliseconds.
        private func addToChart() {
            guard let path = Plan.chartPath, !latencies.isEmpty else { return }
            let latencies = latencies
            let times = [latencies.count / 2, latencies.count * 99 / 100, latencies.count - 1].map { index in
                "\((latencies[index] / .milliseconds(1)).rounded())"
            }
            let (herd, counts) = (scenario.herd, [fetches, makes].map { "\($0.mean),\($0.worst)" })
            let line =
                ["\"\(scenario.name)\",\(scenario.nodeCount),\(herd.sourceCount),\(herd.requestCount),\(scenario.seed)"]
                + counts + times
            guard let file = unsafe fopen(path, "a") else {
                Issue.record("\(path) cannot be written")
                return
            }
            // One write: the processes of other simulations write to the same file.
            unsafe fputs(line.joined(separator: ",") + "\n", file)
            unsafe fclose(file)
        }
    }

    extension Scenario {
        /// Whether the engine of leases answers all the time.
        fileprivate var leasesAreReachable: Bool {
            !events.contains { if case .changeLeases = $0.event { true } else { false } }
        }
    }
#endif
