import DarkroomTestKit

/// The ring of consistent hashing that nginx uses (`hash … consistent`): ketama with 160 points for each server.
struct HashRing: Sendable {
    private static let pointCount = 160

    /// The positions of the servers, in order.
    private let points: [(hash: UInt32, server: Int)]
    let serverCount: Int

    init(serverCount: Int) {
        self.serverCount = serverCount
        var points: [(hash: UInt32, server: Int)] = []
        points.reserveCapacity(serverCount * Self.pointCount)
        for server in 0..<serverCount {
            let name = PNGChecksums.checksum(of: "10.0.\(server / 256).\(server % 256)\u{0}80".utf8)
            var previous: UInt32 = 0
            for _ in 0..<Self.pointCount {
                let bytes = stride(from: 0, to: 32, by: 8).map { UInt8(truncatingIfNeeded: previous >> UInt32($0)) }
                previous = PNGChecksums.checksum(of: bytes, after: name)
                points.append((previous, server))
            }
        }
        self.points = points.sorted { $0.hash < $1.hash }
    }

    /// Returns the server of `key`: the first one from its position on that `isEligible`.
    func server(of key: String, where isEligible: (Int) -> Bool = { _ in true }) -> Int {
        let hash = PNGChecksums.checksum(of: key.utf8)
        var (low, high) = (0, points.count)
        while low < high {
            let middle = (low + high) / 2
            if points[middle].hash < hash { low = middle + 1 } else { high = middle }
        }
        for step in 0..<points.count {
            let server = points[(low + step) % points.count].server
            if isEligible(server) { return server }
        }
        return points[low % points.count].server
    }
}
