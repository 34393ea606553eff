extension WorkerPool {
    /// Counts of events in the life of a pool's workers.
    public struct Statistics: Hashable, Sendable {
        /// The number of workers that were started.
        public internal(set) var startCount = 0

        /// The number of starts that failed.
        public internal(set) var failedStartCount = 0

        /// The number of workers that ended while they worked, or sent what no worker sends.
        public internal(set) var crashCount = 0

        /// The crashes by the signal, such as `SIGSEGV`, or the status.
        public internal(set) var crashes: [String: Int] = [:]

        /// The number of workers that were ended because they did not stop in time, or did not wait for their next call.
        public internal(set) var killCount = 0

        /// The number of workers that work at this moment.
        public internal(set) var busyCount = 0

        /// The number of calls to workers. A still takes one or two, and one more to encode it.
        public internal(set) var callCount = 0

        /// Creates the statistics of a new pool.
        init() {}
    }
}
