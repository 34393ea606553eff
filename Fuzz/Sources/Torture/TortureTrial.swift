import DarkroomCore
import FoundationEssentials

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The cost of one file for a coder: of its header alone, of a complete decode including the header, and of all
/// previews.
struct TortureTrial {
    /// A part of the trial, and its CPU time.
    struct Part {
        let seconds: Double
        let outcome: String
    }

    /// The number of bytes fed at a time, as many as a socket delivers.
    private static let sliceByteCount = 1 << 14

    let byteCount: Int

    /// The header, the decode, the previews.
    let parts: [Part]

    /// The cost of a load without previews: the decode, which includes the header.
    var loadSeconds: Double { parts[1].seconds }

    /// The distinct outcomes.
    var outcome: String {
        parts.map(\.outcome).reduce([String]()) { $0.contains($1) ? $0 : $0 + [$1] }.joined(separator: "; ")
    }

    init(of coder: any ImageCoder, data: Data) {
        var limits = DecodeLimits()
        limits.workTime = .seconds(1)
        let context = ImageContext { [limits] in $0.limits = limits }
        let registry = CoderRegistry([coder])
        byteCount = data.count
        parts = [
            Self.measured { "\(try registry.info(of: data, limits: limits).storedSize)" },
            Self.measured { "\(try registry.decode(data, context: context).size)" },
            Self.measured { try Self.feed(data, to: coder, context: context) },
        ]
    }

    private static func feed(_ data: Data, to coder: any ImageCoder, context: ImageContext) throws -> String {
        guard let coder = coder as? any ProgressiveImageCoder else { return "no previews" }
        let clock = WorkClock(limit: context.limits.workTime)
        return try clock.run {
            // Like a load, parses the header again whenever the number of bytes has doubled.
            var count = 1
            while true {
                let prefix = data.prefix(count)
                do {
                    let info = try coder.info(of: InfoRequest(data: prefix, limits: context.limits, clock: clock))
                    try context.limits.check(info)
                    let request = DecodeRequest(data: prefix, info: info, context: context, clock: clock)
                    return try feed(data, to: coder.makePreviewDecoder(request))
                } catch let error as ImageError where error.kind == .incomplete && count < min(data.count, 1 << 22) {
                    count *= 2
                }
            }
        }
    }

    private static func feed(_ data: Data, to decoder: any PreviewDecoder) throws -> String {
        var decoder = decoder
        for start in stride(from: data.startIndex, to: data.endIndex, by: sliceByteCount) {
            _ = try decoder.append(data[start..<min(start + sliceByteCount, data.endIndex)])
            _ = decoder.frameDurations
        }
        return "\(try decoder.finish().size)"
    }

    private static func measured(_ body: () throws -> String) -> Part {
        let start = processorSeconds
        let outcome: String
        do {
            outcome = try body()
        } catch {
            outcome = (error as? ImageError)?.message ?? "\(error)"
        }
        return Part(seconds: processorSeconds - start, outcome: outcome)
    }

    private static var processorSeconds: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// Ends the process with status 1.
func fatal(_ message: String) -> Never {
    print(message)
    exit(1)
}
