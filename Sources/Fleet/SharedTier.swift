public import DarkroomCore
public import DarkroomPlatform
import Synchronization

/// A cache in an object store that all nodes of a fleet share, with leases that divide the work among them.
///
/// Install it in the managers of all nodes. It never makes a node worse off: each request spends a bounded time on it,
/// a circuit breaker stops calls to an engine while most of them fail, and every failure counts as a miss.
public final class SharedTier: ImagePlugin, Sendable {
    /// The settings of a tier. Prefix, secret and encoder version must be the same on all nodes.
    public struct Configuration: Sendable {
        /// The prefix of all object names, without a trailing slash.
        public var prefix = "darkroom"

        /// The maximum size of an object that is stored or read, in bytes.
        public var objectByteLimit = 16 << 20

        /// The time after which a read fails. It is shorter than the budget of a request, so that an unresponsive store
        /// is recognized as such.
        public var readDeadline = Duration.milliseconds(400)

        /// The time after which a store fails, and each request of a removal. Objects of a node with another clock count as older
        /// by about this time, because their stores may have taken as long.
        public var writeDeadline = Duration.seconds(10)

        /// The maximum number of concurrent reads. Waiting for a turn does not count as time that the store takes.
        public var readLimit = 16

        /// The maximum number of concurrent stores, of which at most a quarter are of originals. A quarter as many removals may
        /// run besides.
        public var writeLimit = 16

        /// The time after which stores count as stalled if several are in flight and none completes. Until one does, nothing
        /// more is stored, and the node works without leases.
        public var writePatience = Duration.milliseconds(400)

        /// The delay before an original is stored, which leaves the processor to the request that has fetched it.
        public var originalDelay = Duration.milliseconds(20)

        /// The secret that authenticates objects; `nil` for none. With a secret, nodes ignore objects that others have
        /// written into the store, and an old object that is put back counts as at most 15 minutes younger than it is.
        public var secret: Data?

        /// The version of the app's encoders. Change it when the same pixels are encoded differently.
        public var encoderVersion = "1"

        /// The rule of the circuit breakers.
        public var breaker = Breaker.Rule()

        /// The time that each request may spend on the tier; see `SharedCaching.budget`.
        public var budget = Duration.milliseconds(500)

        /// The time for which other nodes wait for a result to be stored; see `SharedCaching.storePatience`.
        public var storePatience = SharedCaching.defaultStorePatience

        /// Creates the default settings.
        public init() {}
    }

    private let cache: ObjectDataCache
    private let leases: BreakingLeases?
    private let purges: (any PurgeChannel)?
    private let configuration: Configuration

    /// Creates a tier.
    ///
    /// - Parameters:
    ///   - objects: The store of the entries.
    ///   - leases: The leases; `nil` if each node makes whatever it misses.
    ///   - purges: The channel that announces removals to the other nodes; `nil` for none.
    ///   - configuration: The settings.
    public init(
        objects: any ObjectStore, leases: (any WorkLeases)? = nil, purges: (any PurgeChannel)? = nil,
        configuration: Configuration = .init()
    ) {
        self.configuration = configuration
        self.purges = purges
        cache = ObjectDataCache(objects, purges: purges, configuration: configuration)
        self.leases = leases.map { [cache] in
            BreakingLeases($0, rule: configuration.breaker) { cache.reachesOthers }
        }
    }

    /// Sets the tier as the manager's shared cache.
    public func install(in components: inout ImageManager.Components) {
        var options = SharedCaching(cache, leases: leases)
        options.budget = configuration.budget
        options.storePatience = configuration.storePatience
        components.shared = options
    }

    /// Removes from the caches of `manager` what other nodes have removed, until the task is cancelled. Call it once
    /// for each manager.
    public func followPurges(with manager: ImageManager) async {
        guard let purges else { return }
        for await purge in purges.purges() {
            switch purge {
            case .source(let source): await manager.purge(source: source)
            case .all: await manager.purge(source: nil)
            }
        }
    }

    /// The counts so far, and the state of the breakers.
    public var statistics: SharedTierStatistics {
        var statistics = cache.statistics
        statistics.leases = leases?.counts ?? .init()
        statistics.leaseBreaker = leases?.breaker.position ?? .closed
        return statistics
    }
}
