import DarkroomCore
import FoundationEssentials

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The target of this process, which the environment variable `FUZZ_TARGET` names.
///
/// If `FUZZ_SEEDS` is the path of a folder, the seeds of the target are written to it, and the process ends. Without a
/// target, it prints the names of all.
private let target: FuzzTarget = {
    let environment = ProcessInfo.processInfo.environment
    guard let target = FuzzTarget.all.first(where: { $0.name == environment["FUZZ_TARGET"] }) else {
        print(FuzzTarget.all.map(\.name).joined(separator: "\n"))
        exit(environment["FUZZ_TARGET"] == nil ? 0 : 2)
    }
    guard let folder = environment["FUZZ_SEEDS"] else { return target }
    do {
        for (index, seed) in try target.seeds().enumerated() {
            try Data(seed).write(to: URL(filePath: folder).appending(path: "seed-\(index)"))
        }
        exit(0)
    } catch {
        fatalError("the seeds of \(target.name) cannot be written: \(error)")
    }
}()

/// Called by libFuzzer once, at the start.
@_cdecl("LLVMFuzzerInitialize")
public func initializeFuzzer(_: UnsafePointer<CInt>, _: OpaquePointer) -> CInt {
    _ = target
    return 0
}

/// Called by libFuzzer, or for each file of a corpus that is replayed.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe FuzzedBytes(bytes: Array(UnsafeBufferPointer(start: start, count: count)))
    do {
        try target.run(input)
    } catch let error as ImageError {
        demand(error.kind != .internal, "\(error)")
    } catch {
        // The other errors of parsers only say that the input is malformed.
    }
    return 0
}
