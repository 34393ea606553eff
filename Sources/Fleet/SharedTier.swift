public import DarkroomCore
import Synchronization

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A cache that all nodes of a fleet share, in an object store, and the leases by which they divide the work.
///
/// Install it in the managers of all nodes. A node is never worse off with it than without it: each request spends a
/// bounded time on it, a breaker stops calls to an engine of which many fail, and every failure is a miss.
public final class SharedTier: ImagePlugin, Sendable {
    /// The settings of a tier. All nodes of a fleet must have the same prefix, secret and encoder version.
    public struct Configuration: Sendable {
        /// What begins the names of all objects, without a slash at the end.
        public var prefix = "darkroom"

        /// The largest object that is stored or read, in bytes.
        public var objectByteLimit = 16 << 20

        /// The time after which a read fails. It is shorter than the budget of a request, so that a store that does not
        /// answer is found to be at fault.
        public var readDeadline = Duration.milliseconds(400)

        /// The time after which a store or a removal fails.
        public var writeDeadline = Duration.seconds(10)

        /// The number of reads at once. The others wait, which does not count as time that the store takes.
        public var readLimit = 16

        /// The number of stores and removals at once. The others wait. At most a quarter of them are stores of originals.
        public var writeLimit = 16

        /// The time after which stores and removals count as hanging if several are in flight, and none of them ends.
        /// Until one does, nothing more is stored, and the node works without leases. Removals wait.
        public var writePatience = Duration.milliseconds(400)

        /// The time after which the store of an original begins, so that it does not delay the request that has fetched it.
        public var originalDelay = Duration.milliseconds(20)

        /// The secret with which objects are authenticated; `nil` for none. With it, the nodes ignore objects that others
        /// have written into the store.
        public var secret: Data?

        /// What distinguishes the results of this version of the app, if it encodes the same pixels differently.
        public var encoderVersion = "1"

        /// The rule by which calls to an engine are stopped.
        public var breaker = Breaker.Rule()

        /// The time that each request may spend on the tier; see `SharedCaching.budget`.
        public var budget = Duration.milliseconds(500)

        /// The time for which other nodes wait for the store of a result; see `SharedCaching.storePatience`.
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
    ///   - leases: The leases; `nil` if each node does all the work that it finds undone.
    ///   - purges: The channel on which nodes tell each other of removals; `nil` for none.
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

    /// Makes the tier the shared cache of a manager.
    public func install(in components: inout ImageManager.Components) {
        var options = SharedCaching(cache, leases: leases)
        options.budget = configuration.budget
        options.storePatience = configuration.storePatience
        components.shared = options
    }

    /// Removes from the caches of `manager` what other nodes have removed, until the task is cancelled. Run it once for
    /// each manager.
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
