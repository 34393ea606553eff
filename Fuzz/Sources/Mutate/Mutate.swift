import DarkroomCore
import DarkroomGIF
import DarkroomJPEG
import DarkroomPNG
import DarkroomTestKit
import DarkroomWebP
import FoundationEssentials

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// `mutate COUNT [SEED [FOLDER]]` tests the coders with COUNT mutated fixtures, and exits with status 1 if any failed.
///
/// With `--growing` after that, the fixtures end early and arrive in parts.
///
/// An uneven input is an image that decodes differently when it is fed in parts; some are saved in the working
/// directory. An input that crashes the process, or takes more than 2 s of CPU time, is left in `mutate-failed.bin`.
@main
struct Mutate {
    static func main() throws {
        let arguments = CommandLine.arguments.filter { $0 != "--growing" }
        let isGrowing = arguments.count < CommandLine.arguments.count
        let count = arguments.count > 1 ? Int(arguments[1]) ?? 0 : 0
        let seed = arguments.count > 2 ? UInt64(arguments[2]) ?? 0 : 1
        let folder = arguments.count > 3 ? arguments[3] : "../Tests/Fixtures"
        let files = try fixtures(in: URL(filePath: folder))
        guard count > 0, !files.isEmpty else { return print("usage: mutate COUNT [SEED [FOLDER]]") }
        print("\(count) variants of \(files.count) files, seed \(seed)")
        fflush(nil)

        let coders = CoderRegistry([JPEGCoder(), PNGCoder(), GIFCoder(), WebPCoder()])
        let trial = isGrowing ? GrowingFileTrial(coders).run : CoderTrial(coders).run
        var mutator = FileMutator(files, seed: seed)
        let current = CurrentFile("mutate-failed.bin")
        var (accepted, rejected, uneven, failed) = (0, 0, 0, 0)
        for index in 0..<count {
            let bytes = isGrowing ? mutator.nextCut() : mutator.next()
            current.store(bytes)
            Watchdog.restart()
            switch trial(bytes, { mutator.below(bytes.count / 3 + 2) }) {
            case .accepted: accepted += 1
            case .rejected: rejected += 1
            case .uneven(let message):
                uneven += 1
                if uneven <= 20 { try report(bytes, as: "mutate-uneven-\(seed)-\(index).bin", message) }
            case .failed(let message):
                failed += 1
                try report(bytes, as: "mutate-failed-\(seed)-\(index).bin", message)
            }
        }
        current.remove()
        print("accepted \(accepted), rejected \(rejected), uneven \(uneven), failed \(failed)")
        exit(failed == 0 ? 0 : 1)
    }

    private static func report(_ bytes: [UInt8], as name: String, _ message: String) throws {
        try Data(bytes).write(to: URL(filePath: name))
        print("\(name): \(message)")
    }

    private static func fixtures(in folder: URL) throws -> [[UInt8]] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
        let images = names.filter { name in [".png", ".jpg", ".gif", ".webp"].contains { name.hasSuffix($0) } }
        // FoundationEssentials leaks a buffer when it reads an empty file, which the address sanitizer would report.
        let whole = images.filter { !$0.hasSuffix("-empty.\($0.split(separator: ".").last ?? "")") }
        let files = try whole.map { [UInt8](try Data(contentsOf: folder.appending(path: $0))) }
        // The bombs among the broken fixtures would fill the memory with copies.
        return files.filter { (1..<8_000).contains($0.count) }
    }
}
