#if os(Linux) || os(macOS)
    import DarkroomPlatform

    /// The extent of the simulation, as set by environment variables.
    enum Plan {
        private static let environment = ProcessInfo.processInfo.environment

        /// The sizes of the fleets.
        static let nodeCounts = [10, 100, 1000]

        /// The file that gets a line of comma-separated values for each simulation; `nil` for none.
        static var chartPath: String? { environment["DARKROOM_FLEET_CHART"] }

        /// The seeds, so many as `DARKROOM_FLEET_SEEDS` says. By default one.
        static var seeds: [UInt64] { Array(1...max(1, environment["DARKROOM_FLEET_SEEDS"].flatMap(UInt64.init) ?? 1)) }

        /// The number of requests of a herd.
        static var requestCount: Int { environment["DARKROOM_FLEET_REQUESTS"].flatMap { Int($0) } ?? 500 }
    }
#endif
