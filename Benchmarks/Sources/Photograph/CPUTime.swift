#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The CPU milliseconds that this process takes to run `body`, all its threads together.
package func cpuMilliseconds(of body: () throws -> Void) rethrows -> Double {
    let start = processMilliseconds()
    try body()
    return processMilliseconds() - start
}

/// The CPU milliseconds that this process takes while `body` runs.
package func cpuMilliseconds(of body: () async throws -> Void) async rethrows -> Double {
    let start = processMilliseconds()
    try await body()
    return processMilliseconds() - start
}

private func processMilliseconds() -> Double {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
}

extension [Double] {
    /// The value in the middle, or the upper one of two; of at least one value.
    package var median: Double { sorted()[count / 2] }
}
