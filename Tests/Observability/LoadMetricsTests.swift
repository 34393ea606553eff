#if Observability
    import CoreMetrics
    @testable import DarkroomCore
    import DarkroomObservability
    import DarkroomTestKit
    import FoundationEssentials
    import MetricsTestKit
    import TestSupport
    import Testing

    @Suite(.bounded)
    struct LoadMetricsTests {
        private let factory = TestMetrics()

        private func total(_ name: String, _ labels: [(String, String)] = []) -> Int64 {
            factory.counterTotal(label: "darkroom_\(name)", dimensions: labels)
        }

        @Test func loadsAreCountedByOrigin() async throws {
            let rig = try Rig()
            _ = try await rig.load()
            _ = try await rig.load()
            rig.images.removeAll()
            _ = try await rig.load()
            for origin in ["network", "memory", "disk"] {
                let labels = [("origin", origin), ("kind", "ok")]
                #expect(rig.metrics.counterTotal(label: "darkroom_loads_total", dimensions: labels) == 1)
            }
            #expect(rig.metrics.counterTotal(label: "darkroom_loads_total") == 3)
            #expect(rig.metrics.counterTotal(label: "darkroom_received_bytes_total") == Int64(Rig.file.count))
            let times = try rig.metrics.expectTimer("darkroom_load_duration_seconds", [("origin", "memory")])
            #expect(times.values.count == 1)
            let decodes = try rig.metrics.expectTimer("darkroom_stage_duration_seconds", [("stage", "decode")])
            #expect(decodes.values.count == 2)
            #expect(decodes.displayUnit == .seconds)
        }

        @Test func failuresAreCountedByKind() {
            let metrics = LoadMetrics(factory: factory)
            for kind in [ImageError.Kind.network, .network, .overLimit, .init(rawValue: "mine/http://example.com")] {
                metrics.loadEnded(LoadRecord(.failure(ImageError(kind, .load, "no"))))
            }
            #expect(total("loads_total", [("origin", "none"), ("kind", "network")]) == 2)
            #expect(total("loads_total", [("origin", "none"), ("kind", "overLimit")]) == 1)
            #expect(total("loads_total", [("origin", "none"), ("kind", "other")]) == 1)
            #expect(total("loads_total") == 4)
        }

        @Test func eachKindOfTheFrameworkHasItsOwnLabel() throws {
            let root = (0..<3).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
            let api = try String(contentsOf: root.appending(path: "docs/api/DarkroomCore.txt"), encoding: .utf8)
            let prefix = "ImageError.Kind."
            let lines = api.split(separator: "\n").filter { $0.hasPrefix(prefix) && $0.contains(": static let ") }
            let kinds = lines.map { String($0.dropFirst(prefix.count).split(separator: ":")[0]) }
            #expect(kinds.contains("busy"))
            let metrics = LoadMetrics(factory: factory)
            for kind in kinds {
                metrics.loadEnded(LoadRecord(.failure(ImageError(.init(rawValue: kind), .load, "no"))))
                #expect(total("loads_total", [("origin", "none"), ("kind", kind)]) == 1)
            }
            #expect(total("loads_total", [("origin", "none"), ("kind", "other")]) == 0)
        }

        @Test func labelsComeFromClosedSets() async throws {
            let before = Set(labels(LoadMetricsTests.afterMaking(factory)))
            let metrics = LoadMetrics(factory: factory)
            for origin in LoadResult.Origin.allCases {
                metrics.loadEnded(LoadRecord(.success(LoadResult(origin))))
                #expect(total("loads_total", [("origin", origin.rawValue), ("kind", "ok")]) == 1)
            }
            for index in 0..<50 {
                let url = try #require(URL(string: "http://host\(index).example/\(index).png?\(index)"))
                let kind = ImageError.Kind(rawValue: "kind\(index)")
                metrics.loadEnded(LoadRecord(.failure(ImageError(kind, .load, "no")), url: url))
                let key = CacheKey(source: url.absoluteString)
                metrics.loadEnded(LoadRecord(.success(LoadResult(.network, key: key)), url: url))
                metrics.cacheFailed(ImageError(kind, .cache, "no"), isRead: true, key: key)
            }
            #expect(Set(labels(factory)) == before)
        }

        private static func afterMaking(_ factory: TestMetrics) -> TestMetrics {
            _ = LoadMetrics(factory: factory)
            return factory
        }

        private func labels(_ factory: TestMetrics) -> [String] {
            factory.counters.map { "\($0.label) \($0.dimensions)" }
                + factory.timers.map { "\($0.label) \($0.dimensions)" }
        }

        @Test func sharedWorkIsCountedOnce() {
            let metrics = LoadMetrics(factory: factory)
            for isJoined in [false, true, true] {
                let result = LoadResult(.network) {
                    $0.isJoined = isJoined
                    $0.receivedByteCount = 100
                    $0.retryCount = 1
                    $0.stages = [LoadReport.Stage(step: .decode, start: .now, duration: .seconds(1))]
                }
                metrics.loadEnded(LoadRecord(.success(result)))
            }
            #expect(total("loads_total") == 3)
            #expect(total("joined_loads_total") == 2)
            #expect(total("received_bytes_total") == 100)
            #expect(total("retries_total") == 1)
            let decodes = factory.timers(
                label: "darkroom_stage_duration_seconds", dimensions: [("stage", "decode")])
            #expect(decodes.map(\.values) == [[1_000_000_000]])
        }

        @Test func failuresOfCachesAreCounted() {
            let metrics = LoadMetrics(factory: factory)
            let key = CacheKey(source: "a")
            for isRead in [true, false, false] {
                metrics.cacheFailed(ImageError(.internal, .cache, "no"), isRead: isRead, key: key)
            }
            metrics.cacheFailed(CancellationError(), isRead: true, key: key)
            #expect(total("cache_failures_total", [("operation", "read")]) == 1)
            #expect(total("cache_failures_total", [("operation", "write")]) == 2)
        }

        @Test func allMetricsHaveTheDimensionsOfTheirOwner() {
            let metrics = LoadMetrics(factory: factory, dimensions: [("name", "avatars")])
            metrics.loadEnded(LoadRecord(.success(LoadResult(.disk))))
            #expect(total("loads_total", [("name", "avatars"), ("origin", "disk")]) == 1)
            #expect(factory.counters.allSatisfy { $0.dimensions.first?.1 == "avatars" })
        }

        @Test func gaugesAreSetWhenSampled() async throws {
            let gate = Gate()
            let rig = try Rig(
                FakeLoader { _ in
                    await gate.wait()
                    return LoadResponse(.data(Rig.file))
                })
            var metrics = rig.observability.metrics
            metrics.addGauge("waiting_transfers") { 7 }
            metrics.addGauge("disk_bytes") { nil }
            async let result = rig.load()
            await gate.waitForArrivals()
            await metrics.sample(rig.manager)
            #expect(try rig.metrics.expectMeter("darkroom_running_loads").values == [1])
            #expect(try rig.metrics.expectMeter("darkroom_waiting_transfers").values == [7])
            #expect(try rig.metrics.expectMeter("darkroom_disk_bytes").values.isEmpty)
            gate.open()
            _ = try await result
            await metrics.sample(rig.manager)
            #expect(try rig.metrics.expectMeter("darkroom_running_loads").values == [1, 0])
        }

        @Test func withoutABackEndNothingIsReadOrCreated() async throws {
            var metrics = LoadMetrics(factory: NOOPMetricsHandler.instance)
            metrics.addGauge("never") {
                Issue.record("it was read")
                return nil
            }
            metrics.loadEnded(LoadRecord(.success(LoadResult(.memory))))
            metrics.cacheFailed(ImageError(.internal, .cache, "no"), isRead: true, key: CacheKey(source: "a"))
            await metrics.sample(try Rig().manager)
        }
    }
#endif
