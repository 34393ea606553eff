/// Pictures that are asked for one after another, by their numbers; the same in every run.
struct Trace {
    /// How many requests each has.
    private static let length = 100_000

    /// What it is like, for people.
    let name: String

    /// The number of each picture that is asked for.
    let requests: [Int]

    /// Some are asked for far more often than others; the same, with pictures in between that nobody asks for twice; and
    /// all of a list in turn, again and again.
    static let all = [
        Trace(name: "Zipf 0.9 over 10,000", requests: zipf()),
        Trace(name: "Zipf 0.9 with scans", requests: withScans(zipf())),
        Trace(name: "loop over 2,500", requests: (0..<length).map { $0 % 2500 }),
    ]

    /// Of 10,000 pictures, the one of rank n is asked for in proportion to n to the power of -0.9.
    private static func zipf() -> [Int] {
        var sums: [Double] = []
        for rank in 1...10_000 { sums.append((sums.last ?? 0) + power(Double(rank), -0.9)) }
        var generator = SeededGenerator(seed: 5)
        return (0..<length).map { _ in
            let mark = Double.random(in: 0..<(sums.last ?? 1), using: &generator)
            return sums.partition(after: mark)
        }
    }

    /// After each 1,000 requests come 500 of pictures that were never seen before and will not be again.
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
    /// How many hits there would be if the picture went first that is asked for again the latest (Belady).
    func optimalHitCount(room: Int) -> Int {
        var next = [Int](repeating: .max, count: requests.count)
        var seen: [Int: Int] = [:]
        for index in requests.indices.reversed() {
            next[index] = seen[requests[index]] ?? .max - requests[index]
            seen[requests[index]] = index
        }
        var (hitCount, nextUses, pictures) = (0, [Int: Int](), SortedUses())
        for (index, picture) in requests.enumerated() {
            if let use = nextUses[picture] {
                hitCount += 1
                pictures.remove(use)
            } else if nextUses.count == room, let last = pictures.popLast() {
                // The request that comes last is of the picture that goes.
                nextUses[last < requests.count ? requests[last] : .max - last] = nil
            }
            nextUses[picture] = next[index]
            pictures.insert(next[index])
        }
        return hitCount
    }
}

/// Numbers in order; removing any is as quick as searching for it.
private struct SortedUses {
    private var uses: [Int] = []

    mutating func insert(_ use: Int) { uses.insert(use, at: uses.partition(after: use)) }

    mutating func remove(_ use: Int) { uses.remove(at: uses.partition(after: use) - 1) }

    mutating func popLast() -> Int? { uses.popLast() }
}

extension [Double] {
    /// The index of the first element above `mark`, of elements in order.
    fileprivate func partition(after mark: Double) -> Int { firstIndex(inOrder: { $0 > mark }) }
}

extension [Int] {
    /// The index of the first element above `mark`, of elements in order.
    fileprivate func partition(after mark: Int) -> Int { firstIndex(inOrder: { $0 > mark }) }
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

private func power(_ base: Double, _ exponent: Double) -> Double { pow(base, exponent) }
