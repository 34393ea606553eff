import DarkroomCore
import DarkroomTestKit
import Photograph
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Ten thousand waiters for one image.
struct Waiters {
    private static let count = 10_000

    func measure() async throws {
        let image = try Photograph.coders.decode(
            try Photograph().file(of: .jpeg), context: ImageContext { $0.thumbnail = .fit(320, 240) })
        let file = PlainCoder.file(of: image.bitmap)
        let (gate, decodeCount) = (Gate(), Counter())
        let loader = FakeLoader { _ in
            await gate.wait()
            return LoadResponse(.data(file))
        }
        let manager = try ImageManager {
            $0.install(loader)
            $0.install(PlainCoder { _ in decodeCount.add() })
        }
        let url = URL(filePath: "/a.plain")
        let before = try ResidentMemory().current
        var waiting = 0
        let cpu = try await cpuMilliseconds {
            // `Task.immediate` starts each load before the next one is created. A task group would use more memory than
            // the loads.
            let waiters = (0..<Self.count).map { _ in
                Task.immediate { _ = try await manager.load(url) }
            }
            waiting = try ResidentMemory().current - before
            gate.open()
            for waiter in waiters { try await waiter.value }
        }
        let peak = try ResidentMemory().peak - before
        print(
            "\(Self.count) waiters: transfers \(loader.requests.count), decodes \(decodeCount.value),",
            "\(mebibytes(waiting)) MiB more while waiting, \(mebibytes(peak)) at the peak, \(cpu.rounded()) ms of CPU"
        )
    }

    private func mebibytes(_ kibibytes: Int) -> Double { (Double(kibibytes) / 102.4).rounded() / 10 }
}

private final class Counter: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .relaxed) }

    func add() { count.add(1, ordering: .relaxed) }
}
