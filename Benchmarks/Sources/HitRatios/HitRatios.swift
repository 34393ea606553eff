import DarkroomCaches
import DarkroomCore

/// Replays traces on the memory cache with each of its policies. Prints one line per result: trace, policy, capacity, hit
/// ratio.
///
/// The capacity is the number of images that fit. `Benchmarks/plot-hit-ratios` plots the output.
@main
enum HitRatios {
    private static let capacities = [100, 200, 500, 1000, 2000, 5000]

    static func main() throws {
        let image = Image(
            info: ImageInfo(format: .png, storedSize: PixelSize(1, 1)),
            bitmap: try Bitmap(PixelSize(1, 1), hasAlpha: false) { _ in })
        for trace in Trace.all {
            for capacity in capacities {
                for policy in MemoryImageCache.Policy.allCases {
                    report(
                        trace, policy: "\(policy)", capacity: capacity,
                        hitCount: hitCount(of: trace, policy: policy, capacity: capacity, image: image))
                }
                report(
                    trace, policy: "optimal", capacity: capacity, hitCount: trace.optimalHitCount(capacity: capacity))
            }
        }
    }

    private static func hitCount(of trace: Trace, policy: MemoryImageCache.Policy, capacity: Int, image: Image)
        -> Int
    {
        let cache = MemoryImageCache(countLimit: capacity, policy: policy)
        return trace.requests.count { number in
            let key = CacheKey(source: "\(number)")
            guard cache.image(for: key) == nil else { return true }
            cache.store(image, for: key)
            return false
        }
    }

    private static func report(_ trace: Trace, policy: String, capacity: Int, hitCount: Int) {
        print(trace.name, policy, capacity, Double(hitCount) / Double(trace.requests.count), separator: "\t")
    }
}
