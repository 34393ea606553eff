import DarkroomColor
import DarkroomCore
import DarkroomIsolation
import Photograph

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif
#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Decodes pictures in this process and in worker processes alternately, and prints the medians of the time and of the CPU time
/// of all processes: `isolation [SECONDS]`.
@main
enum Isolation {
    private struct Case {
        let name: String
        let file: Data
        var thumbnail: Thumbnail?
    }

    private static func configure(_ components: inout ImageManager.Components) {
        components.coders = Photograph.coders
        components.coders.colorConverter = LittleCMSConverter()
    }

    static func main() throws {
        WorkerProcess.runIfStarted(configure)
        let seconds = CommandLine.arguments.dropFirst().first.flatMap(Double.init) ?? 2
        let start = ContinuousClock.now
        let pool = try WorkerPool {
            $0.count = 2
            // The processes whose time is read stay the same.
            $0.callsPerWorker = .max
        }
        let protection = try pool.protection
        print("ready after \((ContinuousClock.now - start) / .milliseconds(1)) ms: \(protection)")
        let local = try ImageManager { configure(&$0) }.coders
        let isolated = try ImageManager {
            configure(&$0)
            $0.isolateCoders(in: pool)
        }.coders
        let workers = Workers()
        for one in try cases(local) { try compare(one, local, isolated, workers, seconds) }
    }

    private static func cases(_ coders: CoderRegistry) throws -> [Case] {
        let photo = try Photograph().file(of: .jpeg)
        let small = try coders.decode(photo, context: ImageContext { $0.thumbnail = .stretch(300, 300) })
        let (png, jpeg) = (try coders.encode(small, as: .png), try coders.encode(small, as: .jpeg))
        return [
            Case(name: "12 MP JPEG to 180x120", file: photo, thumbnail: .fit(180, 120)),
            Case(name: "12 MP JPEG to 1280x960", file: photo, thumbnail: .fit(1280, 960)),
            Case(name: "12 MP JPEG in full", file: photo),
            Case(name: "300x300 PNG in full", file: png),
            Case(name: "300x300 PNG to 100x100", file: png, thumbnail: .fit(100, 100)),
            Case(name: "300x300 JPEG in full", file: jpeg),
        ]
    }

    private static func compare(
        _ one: Case, _ local: CoderRegistry, _ isolated: CoderRegistry, _ workers: Workers, _ seconds: Double
    ) throws {
        let context = ImageContext { $0.thumbnail = one.thumbnail }
        let expected = try local.decode(one.file, context: context).bitmap
        guard try isolated.decode(one.file, context: context).bitmap == expected else { fatalError("pixels differ") }
        var (walls, works): ([[Double]], [[Double]]) = ([[], []], [[], []])
        let end = ContinuousClock.now + .seconds(seconds)
        var repeats = 1
        while ContinuousClock.now < end || walls[0].count < 7 {
            for (index, coders) in [local, isolated].enumerated() {
                let (start, work) = (ContinuousClock.now, workers.processorSeconds)
                for _ in 0..<repeats { _ = try coders.decode(one.file, context: context) }
                let wall = (ContinuousClock.now - start) / .milliseconds(1)
                walls[index].append(wall / Double(repeats))
                works[index].append((workers.processorSeconds - work) * 1000 / Double(repeats))
                if index == 0, walls[0].count == 1 {
                    repeats = max(1, Int(exactly: (30 / max(wall, 0.1)).rounded()) ?? 1)
                }
            }
        }
        let medians = (walls + works).map(\.median)
        print(
            one.name, "time \(medians[0].short) -> \(medians[1].short) ms (\((medians[1] / medians[0]).short))",
            "CPU \(medians[2].short) -> \(medians[3].short) ms (\((medians[3] / medians[2]).short))", separator: "  ")
    }
}

/// The processor time of this process and of its workers.
private struct Workers {
    private let clocks: [clockid_t]

    init() {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        let children = names.compactMap { Int32($0) }.filter { pid in
            let text = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)) ?? ""
            return text.split(separator: ")").last?.split(separator: " ").dropFirst().first.flatMap { Int32($0) }
                == getpid()
        }
        clocks =
            [CLOCK_PROCESS_CPUTIME_ID]
            + children.compactMap { pid in
                var clock = clockid_t()
                return unsafe clock_getcpuclockid(pid, &clock) == 0 ? clock : nil
            }
    }

    var processorSeconds: Double {
        clocks.reduce(0) { sum, clock in
            var time = timespec()
            unsafe clock_gettime(clock, &time)
            return sum + Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
    }
}

extension Double {
    fileprivate var short: Double { (self * 1000).rounded() / 1000 }
}
