#if os(Linux) || os(macOS)
    @testable import DarkroomCore
    import TestSupport
    import Testing

    /// Simulates fleets whose engines of leases and objects fail.
    @Suite(.bounded) struct EngineFailureTests {
        @Test(arguments: Plan.nodeCounts) func fleetWorksWithoutItsEngineOfLeases(_ nodeCount: Int) async {
            await #expect(processExitsWith: .success) { [nodeCount = nodeCount as Int] in
                for seed in Plan.seeds {
                    let scenario = Scenario("leases dead, random", nodes: nodeCount).with {
                        $0.seed = seed
                        $0.events = [(.zero, .changeLeases { $0.isReachable = false })]
                    }
                    let hash = scenario.with {
                        $0.name = "leases dead, hash"
                        $0.balancing = .hash(balancerCount: 8, disagreement: 0.02)
                    }
                    for scenario in [scenario, hash] {
                        let report = try Simulation.run(scenario)
                        report.checkInvariants()
                        report.checkFetchesWithoutLeases()
                    }
                }
            }
        }

        /// The engine stops, and comes back without its leases.
        @Test(arguments: Plan.nodeCounts) func engineOfLeasesRestarts(_ nodeCount: Int) async {
            await #expect(processExitsWith: .success) { [nodeCount = nodeCount as Int] in
                for seed in Plan.seeds {
                    let report = try Simulation.run(
                        Scenario("leases restarted", nodes: nodeCount).with {
                            $0.seed = seed
                            $0.events = [
                                (.milliseconds(300), .changeLeases { $0.isReachable = false }),
                                (.milliseconds(300), .restartLeases),
                                (.milliseconds(900), .changeLeases { $0.isReachable = true }),
                            ]
                        })
                    // A holder may have gone on waiting for the store, and those that wait ask again.
                    report.checkInvariants { report.holdTime(of: $0) * 2 }
                    let asked = report.askedNodes
                    for (source, count) in report.fetchCounts { #expect(count <= asked[source] ?? 0, "\(source.url)") }
                }
            }
        }

        @Test(arguments: Plan.nodeCounts) func eachFlushCostsAtMostOneFetch(_ nodeCount: Int) async {
            await #expect(processExitsWith: .success) { [nodeCount = nodeCount as Int] in
                for seed in Plan.seeds {
                    let times = [200, 400, 600].map { Duration.milliseconds($0) }
                    let report = try Simulation.run(
                        Scenario("leases flushed", nodes: nodeCount).with {
                            $0.seed = seed
                            $0.events = times.map { ($0, .flushLeases) }
                        })
                    report.checkInvariants { report.holdTime(of: $0) * times.count }
                    #expect(report.fetches.worst <= 1 + times.count, "fetches: \(report.fetches)")
                    #expect(report.makes.worst <= 1 + times.count, "makes: \(report.makes)")
                }
            }
        }

        /// Each half of the fleet works as a fleet of its own, and finds what the other half has stored.
        @Test(arguments: Plan.nodeCounts) func eachSideOfAPartitionFetchesOnce(_ nodeCount: Int) async {
            await #expect(processExitsWith: .success) { [nodeCount = nodeCount as Int] in
                for seed in Plan.seeds {
                    let scenario = Scenario("leases partitioned", nodes: nodeCount).with {
                        ($0.seed, $0.isPartitioned) = (seed, true)
                    }
                    let lasting = try Simulation.run(scenario)
                    lasting.checkInvariants()
                    let ended = try Simulation.run(
                        scenario.with {
                            $0.name = "leases partitioned for 500 ms"
                            $0.events = [(.milliseconds(500), .endPartition)]
                        })
                    // A node may wait for the holder of its side, and then for that of the other one.
                    ended.checkInvariants { ended.holdTime(of: $0) * 2 }
                    for report in [lasting, ended] {
                        #expect(report.fetches.worst <= 2, "fetches: \(report.fetches)")
                        #expect(report.makes.worst <= 2, "makes: \(report.makes)")
                    }
                }
            }
        }

        /// A store slower than the work fills the limit of what waits for it, and the rest is not shared.
        @Test(arguments: Plan.nodeCounts) func resultsThatAreNotSharedAreMadeByEachNode(_ nodeCount: Int) async {
            await #expect(processExitsWith: .success) { [nodeCount = nodeCount as Int] in
                for seed in Plan.seeds {
                    let report = try Simulation.run(
                        Scenario("one store at once", nodes: nodeCount).with {
                            ($0.seed, $0.pendingByteLimit) = (seed, 1)
                        })
                    // The wait for the holder of the variant, which itself waits for that of the original.
                    report.checkInvariants { report.holdTime(of: $0) * 2 }
                    let asked = report.askedNodes
                    for (source, count) in report.fetchCounts { #expect(count <= asked[source] ?? 0, "\(source.url)") }
                    if nodeCount == 10 { #expect(report.makes.worst > 1, "no store was refused") }
                }
            }
        }

        @Test(arguments: Plan.nodeCounts) func slowEnginesDelayNoRequestByMoreThanItsBudget(_ nodeCount: Int) async {
            await #expect(processExitsWith: .success) { [nodeCount = nodeCount as Int] in
                for seed in Plan.seeds {
                    let scenario = Scenario("engines slow", nodes: nodeCount).with {
                        $0.seed = seed
                        $0.leaseLatency = .milliseconds(50)...(.milliseconds(200))
                        $0.storeLatency = .milliseconds(20)...(.milliseconds(200))
                    }
                    let leases = Scenario("leases slow", nodes: nodeCount).with {
                        ($0.seed, $0.leaseLatency) = (seed, .milliseconds(10)...(.milliseconds(40)))
                    }
                    for scenario in [scenario, leases] {
                        let report = try Simulation.run(scenario)
                        // The wait for the holder of the variant, which itself waits for that of the original.
                        report.checkInvariants { report.holdTime(of: $0) * 2 }
                        let asked = report.askedNodes
                        for (source, count) in report.fetchCounts {
                            #expect(count <= asked[source] ?? 0, "\(source.url)")
                        }
                    }
                }
            }
        }

        @Test(arguments: Plan.nodeCounts) func fleetWorksWithoutItsStore(_ nodeCount: Int) async {
            await #expect(processExitsWith: .success) { [nodeCount = nodeCount as Int] in
                for seed in Plan.seeds {
                    let hanging = Scenario("S3 hangs", nodes: nodeCount).with {
                        $0.seed = seed
                        $0.events = [(.zero, .changeStore { $0.isReachable = false })]
                    }
                    let failing = hanging.with { ($0.name, $0.events) = ("S3 fails", [(.zero, .failStore)]) }
                    for scenario in [hanging, failing] {
                        let report = try Simulation.run(scenario)
                        // Nobody waits for what cannot be stored.
                        report.checkInvariants()
                        #expect(report.fetchCounts == report.askedNodes)
                    }
                }
            }
        }
    }
#endif
