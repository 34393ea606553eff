import DarkroomCaches
import DarkroomCore

/// Replays traces on the memory cache with each of its policies. Prints one line per result: trace, policy, room, hit
/// ratio.
///
/// The room is the number of images that fit. `Scripts/plot-hit-ratios` plots the output.
@main
enum HitRatios {
    private static let rooms = [100, 200, 500, 1000, 2000, 5000]

    static func main() throws {
        let picture = Image(
            info: ImageInfo(format: .png, storedSize: PixelSize(1, 1)),
            bitmap: try Bitmap(PixelSize(1, 1), hasAlpha: false) { _ in })
        for trace in Trace.all {
            for room in rooms {
                for policy in MemoryImageCache.Policy.allCases {
                    report(trace, "\(policy)", room, hitCount(of: trace, policy, room, picture))
                }
                report(trace, "optimal", room, trace.optimalHitCount(room: room))
            }
        }
    }

    private static func hitCount(of trace: Trace, _ policy: MemoryImageCache.Policy, _ room: Int, _ picture: Image)
        -> Int
    {
        let cache = MemoryImageCache(countLimit: room, policy: policy)
        return trace.requests.count { number in
            let key = CacheKey(source: "\(number)")
            guard cache.image(for: key) == nil else { return true }
            cache.store(picture, for: key)
            return false
        }
    }

    private static func report(_ trace: Trace, _ policy: String, _ room: Int, _ hitCount: Int) {
        print(trace.name, policy, room, Double(hitCount) / Double(trace.requests.count), separator: "\t")
    }
}
