#if os(Linux) || os(macOS)
    @testable import DarkroomCore
    import TestSupport
    import Testing

    /// Simulates fleets whose nodes die, lose their connection, or have wrong clocks.
    @Suite(.bounded) struct NodeFailureTests {
        @Test(arguments: Plan.nodeCounts) func oneNodeTakesOverFromEachThatDies(_ nodeCount: Int) async {
            await #expect(processExitsWith: .success) { [nodeCount = nodeCount as Int] in
                for seed in Plan.seeds {
                    let scenario = Scenario("20 % of holders die", nodes: nodeCount).with {
                        ($0.seed, $0.deaths) = (seed, 0.2)
                    }
                    let silent = scenario.with {
                        ($0.name, $0.dieSilently) = ("20 % of holders die silently", true)
                    }
                    for scenario in [scenario, silent] {
                        let report = try Simulation.run(scenario)
                        // The engine sees at once that a connection has ended, and those that wait ask again.
                        let takeover = LeasedWork<Void>.patience + (scenario.dieSilently ? scenario.leaseLife : .zero)
                        report.checkInvariants { variant in
                            let works = [variant.source.work, variant.work]
                            let deaths = works.map { report.deathCount(of: $0) }.reduce(0, +)
                            return (takeover + report.holdTime(of: variant) * 2) * deaths
                        }
                        for (source, count) in report.fetchCounts {
                            let limit = 1 + report.deathCount(of: source.work)
                            #expect(count <= limit, "\(count) fetches of \(source.url)")
                        }
                    }
                }
            }
        }

        /// The origin server takes 5 and 30 times the life of a lease, and much longer than the budget of a request.
        @Test(arguments: Plan.nodeCounts) func leaseOutlivesASlowOriginServer(_ nodeCount: Int) async {
            await #expect(processExitsWith: .success) { [nodeCount = nodeCount as Int] in
                for seed in Plan.seeds {
                    for seconds in [10, 60] {
                        let report = try Simulation.run(Scenario(fetching: seconds, nodes: nodeCount, seed: seed))
                        report.checkInvariants()
                        report.checkEverythingIsDoneOnce()
                    }
                }
            }
        }

        @Test(arguments: Plan.nodeCounts) func lostRenewalsCostOneFetchForEachLease(_ nodeCount: Int) async {
            await #expect(processExitsWith: .success) { [nodeCount = nodeCount as Int] in
                for seed in Plan.seeds {
                    let scenario = Scenario(fetching: 10, nodes: nodeCount, seed: seed)
                    for (name, probability) in [("renewals lost", 1), ("30 % of renewals lost", 0.3)] {
                        let report = try Simulation.run(
                            scenario.with {
                                ($0.name, $0.lostRenewals) = ("origin of 10 s, \(name)", probability)
                            })
                        report.checkFetchesWithoutRenewals()
                    }
                }
            }
        }

        @Test(arguments: Plan.nodeCounts) func wrongClocksChangeNothing(_ nodeCount: Int) async {
            await #expect(processExitsWith: .success) { [nodeCount = nodeCount as Int] in
                for seed in Plan.seeds {
                    let scenario = Scenario("clocks right", nodes: nodeCount).with { $0.seed = seed }
                    let right = try Simulation.run(scenario)
                    let skewed = try Simulation.run(
                        scenario.with { ($0.name, $0.skew) = ("clocks wrong by minutes", .seconds(600)) })
                    skewed.checkInvariants()
                    skewed.checkEverythingIsDoneOnce()
                    #expect(skewed.digest == right.digest)
                    let drifting = try Simulation.run(
                        scenario.with {
                            $0.name = "clocks too fast or too slow by 1 %"
                            ($0.skew, $0.drift) = (.seconds(600), 10_000)
                        })
                    drifting.checkInvariants()
                    drifting.checkEverythingIsDoneOnce()
                }
            }
        }
    }

    extension Scenario {
        /// Creates a scenario whose origin server takes so many seconds, and whose leases live for two.
        fileprivate init(fetching seconds: Int, nodes nodeCount: Int, seed: UInt64) {
            self.init("origin of \(seconds) s", nodes: nodeCount)
            self.seed = seed
            (herd.sourceCount, herd.requestCount) = (10, 100)
            herd.fetchTime = .seconds(seconds)...(.seconds(seconds))
            leaseLife = .seconds(2)
        }
    }

    extension Report {
        /// Checks that there were as many fetches as leases may expire while the first node fetches.
        fileprivate func checkFetchesWithoutRenewals(sourceLocation: SourceLocation = #_sourceLocation) {
            checkInvariants(
                allowance: { variant in
                    let grants = [variant.source.work, variant.work].map { grantCount(of: $0) }
                    return holdTime(of: variant) * grants.reduce(0, +)
                }, sourceLocation: sourceLocation)
            let time = scenario.herd.fetchTime.upperBound + Self.budget + storeTime
            let limit = 1 + Int((time / scenario.leaseLife).rounded(.up))
            #expect(fetches.worst <= limit, "\(scenario.name): \(fetches)", sourceLocation: sourceLocation)
        }
    }
#endif
