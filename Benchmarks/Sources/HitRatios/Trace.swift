/// A reproducible sequence of requests for numbered images.
struct Trace {
    /// The number of requests per trace.
    private static let length = 100_000

    /// A description for the output.
    let name: String

    /// The requested image numbers.
    let requests: [Int]

    /// A Zipf distribution; the same interrupted by images that are requested only once; and a repeated loop over a
    /// list.
    static let all = [
        Trace(name: "Zipf 0.9 over 10,000", requests: zipf()),
        Trace(name: "Zipf 0.9 with scans", requests: withScans(zipf())),
        Trace(name: "loop over 2,500", requests: (0..<length).map { $0 % 2500 }),
    ]

    /// Requests for 10,000 images, where the probability of rank n is proportional to n to the power of -0.9.
    private static func zipf() -> [Int] {
        var sums: [Double] = []
        for rank in 1...10_000 { sums.append((sums.last ?? 0) + power(Double(rank), exponent: -0.9)) }
        var generator = SeededGenerator(seed: 5)
        return (0..<length).map { _ in
            let value = Double.random(in: 0..<(sums.last ?? 1), using: &generator)
            return sums.partition(after: value)
        }
    }

    /// Inserts, after every 1,000 requests, 500 requests for images that occur only there.
    private static func withScans(_ requests: [Int]) -> [Int] {
        var fresh = 1_000_000
        var mixed: [Int] = []
        for (index, request) in requests.enumerated() where mixed.count < length {
            mixed.append(request)
            guard index % 1000 == 999 else { continue }
            mixed += fresh..<(fresh + 500)
            fresh += 500
        }
        return Array(mixed.prefix(length))
    }
}

extension Trace {
    /// Returns the number of hits of Belady's optimal policy, which evicts the image whose next request is farthest
    /// away.
    func optimalHitCount(capacity: Int) -> Int {
        var next = [Int](repeating: .max, count: requests.count)
        var seen: [Int: Int] = [:]
        for index in requests.indices.reversed() {
            next[index] = seen[requests[index]] ?? .max - requests[index]
            seen[requests[index]] = index
        }
        var (hitCount, nextUses, uses) = (0, [Int: Int](), SortedUses())
        for (index, image) in requests.enumerated() {
            if let use = nextUses[image] {
                hitCount += 1
                uses.remove(use)
            } else if nextUses.count == capacity, let last = uses.popLast() {
                // The farthest request belongs to the image to evict.
                nextUses[last < requests.count ? requests[last] : .max - last] = nil
            }
            nextUses[image] = next[index]
            uses.insert(next[index])
        }
        return hitCount
    }
}

/// A sorted array of numbers.
private struct SortedUses {
    private var uses: [Int] = []

    mutating func insert(_ use: Int) { uses.insert(use, at: uses.partition(after: use)) }

    mutating func remove(_ use: Int) { uses.remove(at: uses.partition(after: use) - 1) }

    mutating func popLast() -> Int? { uses.popLast() }
}

extension [Double] {
    /// Returns the index of the first element above `value`. The elements must be sorted.
    fileprivate func partition(after value: Double) -> Int { firstIndex(inOrder: { $0 > value }) }
}

extension [Int] {
    /// Returns the index of the first element above `value`. The elements must be sorted.
    fileprivate func partition(after value: Int) -> Int { firstIndex(inOrder: { $0 > value }) }
}

extension Array {
    fileprivate func firstIndex(inOrder isBehind: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

#if canImport(Glibc)
    import DarkroomTestKit
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

private func power(_ base: Double, exponent: Double) -> Double { pow(base, exponent) }
