#if os(Linux) || os(macOS)
    import DarkroomCore
    import TestSupport
    import Testing

    /// Simulates a herd of requests for cold images.
    @Suite(.bounded) struct HerdTests {
        @Test(arguments: Plan.nodeCounts) func eachNodeFetchesWithoutATier(_ nodeCount: Int) async {
            await #expect(processExitsWith: .success) { [nodeCount = nodeCount as Int] in
                for seed in Plan.seeds {
                    let report = try Simulation.run(
                        Scenario("no tier", nodes: nodeCount).with {
                            ($0.seed, $0.usesStore, $0.usesLeases) = (seed, false, false)
                        })
                    report.checkInvariants()
                    #expect(report.fetchCounts == report.askedNodes)
                }
            }
        }

        @Test(arguments: Plan.nodeCounts) func objectStoreAloneDoesNotStopAHerd(_ nodeCount: Int) async {
            await #expect(processExitsWith: .success) { [nodeCount = nodeCount as Int] in
                for seed in Plan.seeds {
                    let report = try Simulation.run(
                        Scenario("S3, random", nodes: nodeCount).with { ($0.seed, $0.usesLeases) = (seed, false) })
                    report.checkInvariants()
                    report.checkFetchesWithoutLeases()
                }
            }
        }

        @Test(arguments: Plan.nodeCounts) func hashBoundsAHerdWithoutLeases(_ nodeCount: Int) async {
            await #expect(processExitsWith: .success) { [nodeCount = nodeCount as Int] in
                for seed in Plan.seeds {
                    let scenario = Scenario("S3, hash", nodes: nodeCount).with {
                        ($0.seed, $0.usesLeases) = (seed, false)
                        $0.balancing = .hash(balancerCount: 8, disagreement: 0.02)
                    }
                    let report = try Simulation.run(scenario)
                    report.checkInvariants()
                    report.checkFetchesWithoutLeases()
                    // Balancers that agree send all requests of a source to one node.
                    let agreed = try Simulation.run(
                        scenario.with { ($0.name, $0.balancing) = ("S3, hash, one balancer", .hash()) })
                    agreed.checkInvariants()
                    agreed.checkEverythingIsDoneOnce()
                }
            }
        }

        @Test(arguments: Plan.nodeCounts) func leasesLetOneNodeFetch(_ nodeCount: Int) async {
            await #expect(processExitsWith: .success) { [nodeCount = nodeCount as Int] in
                for seed in Plan.seeds {
                    let scenario = Scenario("leases, random", nodes: nodeCount).with { $0.seed = seed }
                    for scenario in [
                        scenario,
                        scenario.with {
                            $0.name = "leases, hash"
                            $0.balancing = .hash(balancerCount: 8, disagreement: 0.02)
                        },
                        scenario.with { ($0.name, $0.balancing) = ("leases, bounded loads", .bounded(1.25)) },
                    ] {
                        let report = try Simulation.run(scenario)
                        report.checkInvariants()
                        report.checkEverythingIsDoneOnce()
                    }
                }
            }
        }

        @Test func simulationDependsOnlyOnItsSeed() async {
            await #expect(processExitsWith: .success) {
                let scenario = Scenario("leases, repeated", nodes: 100)
                let digest = try Simulation.run(scenario).digest
                #expect(try Simulation.run(scenario).digest == digest)
                #expect(try Simulation.run(scenario.with { $0.seed = 2 }).digest != digest)
            }
        }
    }

    extension Report {
        /// Checks that each source was fetched once, and each variant made once.
        func checkEverythingIsDoneOnce(sourceLocation: SourceLocation = #_sourceLocation) {
            #expect(fetches.worst == 1, "\(scenario.name): \(fetches)", sourceLocation: sourceLocation)
            #expect(makes.worst == 1, "\(scenario.name): \(makes)", sourceLocation: sourceLocation)
        }

        /// Checks that no node fetched a source twice, and that only those did without that could find it in the store.
        func checkFetchesWithoutLeases(sourceLocation: SourceLocation = #_sourceLocation) {
            let (most, least) = (askedNodes, unavoidableFetches)
            for (source, count) in fetchCounts {
                #expect(
                    ((least[source] ?? 0)...(most[source] ?? 0)).contains(count), "\(source.url)",
                    sourceLocation: sourceLocation)
            }
        }
    }
#endif
