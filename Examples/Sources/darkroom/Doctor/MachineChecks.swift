import Darkroom

/// Checks the machine and this process, as reported by the kernel.
struct MachineChecks {
    /// The limit on open files below which loading many images at once may fail.
    private static let fewFiles = 256

    /// Returns the text of the file at a path; `nil` when it cannot be read.
    let text: (_ path: String) -> String?

    /// All checks of the machine.
    var all: [Check] { [processor, memory, pressure, files] }

    /// The instruction set that resizing uses.
    private var processor: Check {
        let line = text("/proc/cpuinfo")?.split(separator: "\n").first { $0.hasPrefix("flags") } ?? ""
        let flags = Set(line.split(separator: " "))
        let path =
            flags.isSuperset(of: ["avx2", "avx512f", "avx512bw", "avx512vl"])
            ? "AVX-512" : flags.contains("avx2") ? "AVX2" : "portable code"
        return Check(name: "processor", finding: "\(Self.architecture), images are resized with \(path)")
    }

    private var memory: Check {
        let (budget, cache) = (MemoryBudget.defaultByteLimit, MemoryImageCache.defaultByteLimit)
        return Check(
            name: "memory", finding: "\(budget.asByteCount) for decoding, \(cache.asByteCount) for the memory cache")
    }

    /// Whether memory pressure can be measured.
    private var pressure: Check {
        let groups =
            (text("/proc/self/cgroup") ?? "").split(separator: "\n")
            .first { $0.hasPrefix("0::") }.map { "/sys/fs/cgroup" + $0.dropFirst(3) } ?? "/sys/fs/cgroup"
        let files = ["/proc/pressure/memory", groups + "/memory.pressure", groups + "/memory.current"]
        let readable = files.map { $0.replacing("//", with: "/") }.filter { text($0) != nil }
        guard !readable.isEmpty else {
            return Check(
                name: "pressure", status: .note,
                finding: "the kernel reports no memory pressure, so caches do not shrink under pressure")
        }
        return Check(name: "pressure", finding: "reported by \(readable.joined(separator: ", "))")
    }

    private var files: Check {
        let line = text("/proc/self/limits")?.split(separator: "\n").first { $0.hasPrefix("Max open files") } ?? ""
        let numbers = line.split(separator: " ").compactMap { Int($0) }
        guard let limit = numbers.first else {
            return Check(name: "files", status: .note, finding: "the limit on open files is unknown")
        }
        let isFew = limit < Self.fewFiles
        return Check(
            name: "files", status: isFew ? .note : .ok,
            finding: "\(limit) may be open at once" + (isFew ? ", which is low; raise the limit with ulimit -n" : ""))
    }

    private static var architecture: String {
        #if arch(x86_64)
            "x86-64"
        #elseif arch(arm64)
            "arm64"
        #else
            "this processor"
        #endif
    }
}
