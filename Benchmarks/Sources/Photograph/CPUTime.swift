#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Returns the CPU time in milliseconds, of all threads, that this process spends in `body`.
package func cpuMilliseconds(of body: () throws -> Void) rethrows -> Double {
    let start = processMilliseconds()
    try body()
    return processMilliseconds() - start
}

/// Returns the CPU time in milliseconds that this process spends while `body` runs.
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
    /// The median, or the upper one of two middle values. The array must not be empty.
    package var median: Double { sorted()[count / 2] }
}
