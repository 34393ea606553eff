import CHostile
import DarkroomCore
import DarkroomIsolation
import DarkroomPNG
import DarkroomPlatform
import DarkroomTestKit
import TestSupport
import Testing

@Suite(.withoutThreadSanitizer) struct PoolTests {
    private static let good = PlainCoder.file(of: Bitmap.testCard(30, 20))

    @Test(arguments: TestEnvironment.allCases)
    func protectionIsWhatTheSystemHas(_ environment: TestEnvironment) throws {
        let protection = try environment.pool.protection
        #expect(protection.isSuperset(of: [.noNewPrivileges, .systemCalls, .limits]))
        if [.withoutLandlock, .oldKernel].contains(environment) { #expect(!protection.contains(.files)) }
    }

    @Test func missingProtectionIsAnErrorUnlessItIsNotRequired() throws {
        let pool = try TestEnvironment.standard.makePool {
            $0.executable = try TestEnvironment.program(named: "withoutFilters")
        }
        let error = #expect(throws: ImageError.self) { try pool.protection }
        #expect(error?.kind == .unsupported && error?.message.contains("systemCalls") == true)
        #expect(throws: ImageError.self) { try pool.coders.decode(Self.good) }
        let weak = try TestEnvironment.standard.makePool {
            $0.executable = try TestEnvironment.program(named: "withoutFilters")
            $0.requires = [.limits]
        }
        #expect(try !weak.protection.contains(.systemCalls))
        #expect(try weak.coders.decode(Self.good).size == PixelSize(30, 20))
    }

    @Test(arguments: ["/bin/true", "/nonexistent"])
    func programThatIsNoWorkerFailsWithoutDecodingInThisProcess(_ path: String) throws {
        let pool = try WorkerPool {
            $0.count = 1
            $0.executable = .file(path)
        }
        let error = #expect(throws: ImageError.self) { try pool.coders.decode(Self.good) }
        #expect(error?.kind == .unsupported || error?.kind == .busy)
        #expect(throws: ImageError.self) { try pool.protection }
        // After some failures in a row it waits before it starts more.
        for _ in 0..<50 { _ = try? pool.coders.decode(Self.good) }
        #expect(pool.statistics.failedStartCount < 40)
    }

    @Test func managerWithACoderThatTheWorkersLackIsNotCreated() throws {
        struct OtherCoder: ImageCoder {
            let formats = [ImageFormat.plain]
            func info(of request: InfoRequest) throws -> ImageInfo { try PlainCoder().info(of: request) }
            func decode(_ request: DecodeRequest) throws -> Bitmap { try PlainCoder().decode(request) }
        }
        let pool = try TestEnvironment.standard.pool
        let error = #expect(throws: ImageError.self) {
            try ImageManager {
                configureComponents(&$0)
                $0.isolateCoders(in: pool)
                $0.coders.register(OtherCoder())
            }
        }
        #expect(error?.message.contains("OtherCoder") == true)
        // As the coder of one request, it is not run in this process either.
        let manager = try ImageManager {
            $0.install(FakeLoader(Self.good))
            $0.coders = pool.coders
        }
        #expect(manager.coders.coders.count == localCoders.coders.count)
    }

    @Test func crashIsPermanentAndRemembered() async throws {
        let loader = FakeLoader(HostileCoder.file("segfault"))
        let manager = try ImageManager {
            configureComponents(&$0)
            $0.install(loader)
            $0.isolateCoders(in: try TestEnvironment.standard.pool)
        }
        let url = URL(string: "http://example.com/a")!
        let first = await #expect(throws: ImageError.self) { try await manager.load(url) }
        #expect(first?.kind == .crashed && first?.message.contains("SIGSEGV") == !hostile_is_address_sanitized())
        // printf 'HOSTILE pixels segfault ' | sha256sum
        #expect(
            first?.message.hasSuffix(
                "SHA-256 of the file is f94053c483ae5ad7f6e333337c4533b372353a0f6ef90c0b65203914e76dd1af") == true)
        let second = await #expect(throws: ImageError.self) { try await manager.load(url) }
        #expect(second?.kind == .refused && loader.requests.count == 1, "\(second?.description ?? "none")")
    }

    @Test(arguments: [(256 << 20, 2, 10), (1 << 30, 4, 21), (24 << 30, 2, 64)])
    func allWorkersTogetherKeepAQuarterOfTheMemory(memory: Int, count: Int, keptMegabytes: Int) {
        var configuration = WorkerPool.Configuration()
        configuration.count = count
        configuration.limitKeptMemory(in: memory)
        #expect(configuration.keptByteCount >> 20 == keptMegabytes)
    }

    @Test func idleWorkersCountInTheMemoryBudget() throws {
        let pool = try TestEnvironment.standard.makePool { $0.count = 3 }
        let budget = MemoryBudget(byteLimit: 1 << 30)
        let manager = try ImageManager {
            $0.memoryBudget = budget
            configureComponents(&$0)
            $0.isolateCoders(in: pool)
        }
        #expect(budget.availableByteCount <= 1000 << 20 && budget.availableByteCount > 900 << 20)
        withExtendedLifetime(manager) {}
    }

    @Test func reportNamesThePlaceOfTheDecode() async throws {
        let manager = try ImageManager {
            configureComponents(&$0)
            $0.install(FakeLoader(Self.good))
            $0.isolateCoders(in: try TestEnvironment.standard.pool)
        }
        let result = try await manager.load(try #require(URL(string: "http://example.com/a")))
        let details = result.report.stages.map(\.detail)
        #expect(details.contains { $0?.hasSuffix("in a worker process") == true })
    }

    @Test func workerIsReplacedAfterItsCalls() throws {
        let pool = try TestEnvironment.standard.makePool {
            $0.count = 1
            $0.callsPerWorker = 1
        }
        for _ in 0..<3 { #expect(try pool.coders.decode(Self.good).size == PixelSize(30, 20)) }
        #expect(pool.statistics.startCount >= 6 && pool.statistics.crashCount == 0)
    }

    @Test func workersYieldToOtherProcesses() throws {
        // Without threads, a worker may not ask.
        let pool = try TestEnvironment.threads.makePool {
            $0.count = 1
            $0.niceness = 7
        }
        let size = try pool.coders.info(of: HostileCoder.file("niceness", in: "header")).storedSize
        #expect(size == PixelSize(100 + min(19, Int(hostile_niceness()) + 7), 64))
        let error = #expect(throws: ImageError.self) { try WorkerPool { $0.niceness = 20 } }
        #expect(error?.message.contains("niceness") == true)
    }

    @Test func cancelledCallStopsItsWorkerAndLeavesItAlive() throws {
        let pool = try TestEnvironment.standard.makePool { $0.count = 1 }
        _ = try pool.protection
        let flag = CancellationFlag()
        flag.set()
        let error = #expect(throws: ImageError.self) { try pool.coders.decode(Self.good, cancellation: flag) }
        #expect(error?.kind == .cancelled)
        #expect(try pool.coders.decode(Self.good).size == PixelSize(30, 20))
        #expect(pool.statistics.startCount == 1)
    }

    @Test func repliesInAdvanceEndTheirWorkerAndCostOnlyThePicturesThatTheyAnswer() throws {
        let pool = try TestEnvironment.standard.makePool { $0.count = 1 }
        let coders = pool.coders
        // The time that the worker says it has spent does not count, as so much has not passed.
        let error = #expect(throws: ImageError.self) {
            try coders.decode(HostileCoder.file("advance", in: "recognition"))
        }
        #expect(error?.kind == .noCoder)
        // A call for each reply that is on its way: the socket of a worker holds fewer.
        let sizes = (0..<400).map { _ in try? coders.decode(Self.good).size }
        #expect(sizes.last == PixelSize(30, 20))
        #expect(pool.statistics.startCount == 2 && pool.statistics.killCount == 1 && pool.statistics.crashCount == 0)
    }

    /// It would set which signals are blocked.
    @Test func returnFromASignalThatWasNotSentIsRefused() throws {
        let pool = try TestEnvironment.standard.makePool { $0.count = 1 }
        #expect(throws: ImageError.self) { try pool.coders.decode(HostileCoder.file("returnFromSignal")) }
        #expect(pool.statistics.crashes == ["SIGSYS": 1])
    }

    @Test func timeInTheWorkerCounts() throws {
        let clock = WorkClock(limit: .seconds(10))
        let bitmap = Bitmap.testCard(1_500, 1_500)
        let image = Image(info: .init(format: .png, storedSize: bitmap.size), bitmap: bitmap)
        _ = try TestEnvironment.standard.pool.coders.encode(image, as: .png, clock: clock)
        #expect(clock.timeSpent > .milliseconds(5))
    }

    @Test func animationGoesOnInAnotherWorkerAndCostsOneFrame() throws {
        let pool = try TestEnvironment.standard.pool
        let image = try pool.coders.decode(HostileCoder.file("segfault", in: "frames"))
        var decoder = try #require(image.animation).makeFrameDecoder()
        #expect(try decoder.nextFrame()?.duration == .seconds(1))
        let error = #expect(throws: ImageError.self) { try decoder.nextFrame() }
        #expect(error?.kind == .crashed)
    }

    @Test func frameAfterAFailedSeekInAWorkerIsThatOfItsIndex() throws {
        let pool = try TestEnvironment.standard.makePool { $0.count = 1 }
        let image = try pool.coders.decode(HostileCoder.file("failToGoBack", in: "frames"))
        var decoder = try #require(image.animation).makeFrameDecoder()
        #expect(try decoder.seek(to: 2))
        #expect(try decoder.nextFrame()?.duration == .seconds(3))
        #expect(try decoder.seek(to: 1))
        let error = #expect(throws: ImageError.self) { try decoder.nextFrame() }
        #expect(error?.kind == .overLimit)
        #expect(try decoder.nextFrame()?.duration == .seconds(3))
    }

    @Test func repeatedSeekInAWorkerGoesOnFromWhereItFailed() throws {
        let pool = try TestEnvironment.standard.makePool { $0.count = 1 }
        let image = try pool.coders.decode(HostileCoder.file("seekInSteps", in: "frames"))
        var decoder = try #require(image.animation).makeFrameDecoder()
        #expect(try decoder.seek(to: 2))
        let error = #expect(throws: ImageError.self) { try decoder.nextFrame() }
        #expect(error?.kind == .overLimit)
        #expect(try decoder.seek(to: 2))
        #expect(try decoder.nextFrame()?.duration == .seconds(3))
    }

    @Test func workerSkipsFramesIfTheDecoderCannotSeek() throws {
        let pool = try TestEnvironment.standard.makePool { $0.count = 1 }
        let image = try pool.coders.decode(HostileCoder.file("nothing", in: "frames"))
        var decoder = try #require(image.animation).makeFrameDecoder()
        for index in [2, 1, 2, 1, 0, 2] {
            #expect(try decoder.seek(to: index))
            #expect(try decoder.nextFrame()?.duration == .seconds(index + 1))
        }
    }

    @Test func picturesLargerThanTheSharedMemoryAreDelivered() throws {
        let pool = try TestEnvironment.standard.makePool { $0.memoryByteCount = 1 << 30 }
        let bitmap = Bitmap.testCard(4_300, 4_200)
        let file = try localCoders.encode(
            Image(info: .init(format: .png, storedSize: bitmap.size), bitmap: bitmap), as: .png,
            context: ImageContext { $0.pngCompressionLevel = 0 })
        #expect(file.count > 48 << 20)
        let image = try pool.coders.decode(file)
        #expect(image.bitmap == bitmap)
        #expect(try pool.coders.encode(image, as: .jpeg) == localCoders.encode(image, as: .jpeg))
    }

    @Test(.bounded) func workersEndWithTheirParent() throws {
        var workers: [Int32] = [0, 0]
        let parent = unsafe hostile_start_parent("/proc/self/exe", &workers, 2)
        try #require(parent > 0)
        #expect(unsafe hostile_kill_parent(parent, workers, 2) == 2)
    }

    /// Several threads decode good and hostile pictures at once: as many as an environment variable says.
    @Test(.bounded) func thousandsOfPicturesLeaveNothingBehind() async throws {
        let count = ProcessInfo.processInfo.environment["DARKROOM_ISOLATED_PICTURES"].flatMap { Int($0) } ?? 2_000
        let pool = try TestEnvironment.standard.makePool { $0.count = 3 }
        _ = try pool.protection
        let acts = ["segfault", "abort", "socket", "exit", "forge", "garbage", "closeChannel", "writeInput"]
        let descriptors = hostile_descriptor_count()
        let (coders, expected) = (pool.coders, try localCoders.decode(Self.good).bitmap)
        let wrongCount = await withTaskGroup { group in
            for thread in 0..<4 {
                group.addTask {
                    (0..<count / 4).count { index in
                        guard index % 20 == 7 else { return (try? coders.decode(Self.good).bitmap) != expected }
                        let act = acts[(index / 20 + thread) % acts.count]
                        return (try? coders.decode(HostileCoder.file(act))) != nil
                    }
                }
            }
            return await group.reduce(0, +)
        }
        #expect(wrongCount == 0)
        #expect(pool.statistics.crashCount == count / 20, "\(pool.statistics)")
        #expect(pool.statistics.busyCount == 0)
        // Other tests run at the same time, with few descriptors.
        #expect(abs(hostile_descriptor_count() - descriptors) < 40)
    }
}
