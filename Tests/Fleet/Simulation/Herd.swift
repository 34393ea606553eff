#if os(Linux) || os(macOS)
    import DarkroomCore
    import DarkroomTestKit

    /// A herd of requests for images that no cache has.
    struct Herd: Sendable {
        /// A request for a variant of a source.
        struct Arrival: Sendable {
            let time: Duration
            let variant: Variant
        }

        /// A source, of which variants are made.
        struct Source: Hashable, Sendable {
            let index: Int

            var url: String { "http://example.com/\(index).jpg" }
            var key: CacheKey { CacheKey(source: url) }
            var work: WorkName { WorkName(.original, of: key) }
        }

        /// A result made of a source.
        struct Variant: Hashable, Sendable {
            let source: Source
            let index: Int

            var key: CacheKey { CacheKey(source: source.url, variant: ["\(index)"]) }
            var work: WorkName { WorkName(.result, of: key) }
        }

        var sourceCount = 100
        var variantCount = 3
        var requestCount = Plan.requestCount
        /// The time in which the requests arrive.
        var window = Duration.seconds(1)
        /// The time for which the origin server works on a request. Each source has its own.
        var fetchTime = Duration.milliseconds(80)...(.milliseconds(400))
        /// The time in which a variant is made of an original.
        var makeTime = Duration.milliseconds(20)...(.milliseconds(80))

        /// Returns the requests in order. Every source is requested, and the popularity of sources follows Zipf's law.
        func arrivals(seed: UInt64) -> [Arrival] {
            var generator = SeededGenerator(seed: seed)
            let sources = ZipfLaw(count: sourceCount)
            let arrivals = (0..<requestCount).map { index in
                let source = index < sourceCount ? index : sources.next(using: &generator)
                let variant = Variant(
                    source: Source(index: source), index: .random(in: 0..<variantCount, using: &generator))
                let microseconds = Int64.random(in: 0..<Int64(window / .microseconds(1)), using: &generator)
                return Arrival(time: .microseconds(microseconds), variant: variant)
            }
            return arrivals.sorted { $0.time < $1.time }
        }

        /// Returns the time in which `source` is fetched.
        func fetchTime(of source: Source) -> Duration { time(in: fetchTime, index: source.index) }

        /// Returns the time in which `variant` is made.
        func makeTime(of variant: Variant) -> Duration {
            time(in: makeTime, index: variant.source.index * variantCount + variant.index)
        }

        private func time(in range: ClosedRange<Duration>, index: Int) -> Duration {
            var generator = SeededGenerator(seed: index)
            let width = Int64((range.upperBound - range.lowerBound) / .microseconds(1))
            return range.lowerBound + .microseconds(Int64.random(in: 0...width, using: &generator))
        }
    }

    /// Numbers of which the n-th is as frequent as 1/n.
    struct ZipfLaw: Sendable {
        private let sums: [Double]

        init(count: Int) {
            var sum = 0.0
            sums = (1...count).map { rank in
                sum += 1 / Double(rank)
                return sum
            }
        }

        func next(using generator: inout SeededGenerator) -> Int {
            let sum = Double.random(in: 0..<sums[sums.count - 1], using: &generator)
            var (low, high) = (0, sums.count - 1)
            while low < high {
                let middle = (low + high) / 2
                if sums[middle] <= sum { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }
#endif
