import DarkroomCore
import DarkroomTestKit
import Photograph
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Ten thousand who wait for one picture.
struct Waiters {
    private static let count = 10_000

    func measure() async throws {
        let image = try Photograph.coders.decode(
            try Photograph().file(of: .jpeg), context: ImageContext { $0.thumbnail = .fit(320, 240) })
        let file = PlainCoder.file(of: image.bitmap)
        let (gate, decodeCount) = (Gate(), Counter())
        let loader = FakeLoader { _ in
            await gate.pass()
            return LoadResponse(.data(file))
        }
        let manager = try ImageManager {
            $0.install(loader)
            $0.install(PlainCoder { _ in decodeCount.add() })
        }
        let before = try ResidentMemory().current
        let waiterCount = Counter()
        let cpu = try await cpuMilliseconds {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<Self.count {
                    // The load begins to wait before the task that began it goes on.
                    group.addImmediateTask { _ = try await manager.load(URL(filePath: "/a.plain")) }
                    waiterCount.add()
                }
                gate.open()
                try await group.waitForAll()
            }
        }
        let mebibytes = Double(try ResidentMemory().peak - before) / 1024
        print(
            "\(waiterCount.value) waiters: transfers \(loader.requests.count), decodes \(decodeCount.value),",
            "\((mebibytes * 10).rounded() / 10) MiB more at the peak, \(cpu.rounded()) ms of CPU")
    }
}

private final class Counter: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .relaxed) }

    func add() { count.add(1, ordering: .relaxed) }
}
