import DarkroomCore
public import DarkroomPlatform

/// The processor time of decoding a file at its stored size, including its header.
public struct DecodingSpeed: Hashable, Sendable {
    /// The number of pixels.
    public let pixelCount: Int
    /// The least processor time of several runs, of the calling thread only. It does not depend on the load of the
    /// machine.
    public let processorTime: Duration

    /// The processor time for each pixel.
    public var timePerPixel: Duration { processorTime / max(pixelCount, 1) }
}

extension CoderContract {
    /// The time per pixel that ``checkSpeed(_:timePerPixel:)`` allows by default: 1 µs, and 20 µs in a debug build.
    ///
    /// It is generous: decoders of common formats take 2 to 200 ns. With it, an image of 12 megapixels takes 12 s.
    public static var defaultTimePerPixel: Duration {
        #if DEBUG
            .microseconds(20)
        #else
            .microseconds(1)
        #endif
    }

    /// The time that a file may take in addition, for example to create a decoder.
    private static let timePerFile = Duration.milliseconds(20)

    /// Measures decoding, by default in the best of three runs.
    public func speed(of data: Data, runCount: Int = 3) throws -> DecodingSpeed {
        try speed(of: data, runCount: runCount) { _ in false }
    }

    /// Checks that decoding takes at most `timePerPixel`, and 20 ms for the file.
    ///
    /// Processor time is counted, and the best of five runs, so that a busy machine breaks no test.
    public func checkSpeed(_ data: Data, timePerPixel: Duration = Self.defaultTimePerPixel) throws {
        let info = try info(of: data)
        let limit = timePerPixel * (info.storedSize.width * info.storedSize.height) + Self.timePerFile
        let speed = try speed(of: data, runCount: 5) { $0 <= limit }
        try on(data) {
            try require(
                speed.processorTime <= limit,
                "decoding \(speed.pixelCount) pixels takes \(speed.processorTime) of processor time, "
                    + "\(speed.timePerPixel) each; allowed are \(limit)")
        }
    }

    private func speed(
        of data: Data, runCount: Int, isEnough: (Duration) -> Bool
    ) throws -> DecodingSpeed {
        try running(on: data) {
            var (pixelCount, best) = (0, Duration.seconds(Int.max >> 1))
            for _ in 0..<max(runCount, 1) where !isEnough(best) {
                let start = Duration.ofThisThread
                let info = try coder.info(of: data)
                let bitmap = try coder.decode(DecodeRequest(data: data, info: info))
                best = min(best, .ofThisThread - start)
                pixelCount = bitmap.size.width * bitmap.size.height
            }
            return DecodingSpeed(pixelCount: pixelCount, processorTime: best)
        }
    }
}

extension Duration {
    /// The processor time of this thread so far.
    fileprivate static var ofThisThread: Duration {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
