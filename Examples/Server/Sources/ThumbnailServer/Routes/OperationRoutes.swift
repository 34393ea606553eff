import HTTPTypes
public import Hummingbird
import NIOCore
public import PrometheusText
import Synchronization

/// `/health`, `/ready` and `/metrics`, which never wait for image work.
public struct OperationRoutes: Sendable {
    /// The readiness of the server, which ends when it starts to drain.
    public final class Readiness: Sendable {
        private let ready = Atomic(true)
        private let degraded = Mutex<@Sendable () -> Bool>({ false })

        /// Creates the readiness of a server that accepts requests.
        public init() {}

        /// Whether a load balancer should send requests to this server.
        public var isReady: Bool {
            get { ready.load(ordering: .relaxed) }
            set { ready.store(newValue, ordering: .relaxed) }
        }

        /// Returns whether the server works without a part that makes it faster, such as a tier shared with others. It
        /// is ready all the same.
        public var isDegraded: @Sendable () -> Bool {
            get { degraded.withLock { $0 } }
            set { degraded.withLock { $0 = newValue } }
        }
    }

    private let readiness: Readiness
    private let registry: PrometheusRegistry
    private let sample: @Sendable () async -> Void

    /// Creates routes that report `readiness` and the metrics of `registry`, after `sample` has updated its gauges.
    public init(
        readiness: Readiness, registry: PrometheusRegistry, sample: @escaping @Sendable () async -> Void = {}
    ) {
        self.readiness = readiness
        self.registry = registry
        self.sample = sample
    }

    /// Adds `/health` and `/ready` to `router`.
    public func add(to router: some RouterMethods<some RequestContext>) {
        router.get("health") { _, _ in health.response }
        router.get("ready") { _, _ in ready.response }
    }

    /// The state of the server, as it reports it.
    struct State {
        let status: HTTPResponse.Status
        let text: String
        var type = "text/plain; charset=utf-8"

        /// The header fields, apart from those that all responses of the server have.
        var fields: HTTPFields { [.contentType: type, .cacheControl: "no-store"] }

        fileprivate var response: Response {
            Response(status: status, headers: fields, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
        }
    }

    /// Returns what `/health` or `/ready` responds to `head`; `nil` for all other requests.
    func state(for head: HTTPRequest) -> State? {
        switch head.path {
        case "/health": health
        case "/ready": ready
        default: nil
        }
    }

    private var health: State { State(status: .ok, text: "alive\n") }

    private var ready: State {
        guard readiness.isReady else { return State(status: .serviceUnavailable, text: "draining\n") }
        return State(status: .ok, text: readiness.isDegraded() ? "ready, degraded\n" : "ready\n")
    }

    /// Adds `/metrics` to `router`, which may be one that only the operator can reach.
    ///
    /// The path must be spelled exactly so, because a proxy that hides it may know no other spelling.
    public func addMetrics(to router: some RouterMethods<some RequestContext>) {
        router.get("metrics") { request, _ in
            // The router ignores empty components.
            guard !request.uri.path.hasEmptyComponent else { throw HTTPError(.notFound) }
            await sample()
            return State(
                status: .ok, text: registry.text(), type: "text/plain; version=0.0.4; charset=utf-8"
            ).response
        }
    }
}

extension String {
    /// Whether the path has a doubled slash, or one at its end.
    fileprivate var hasEmptyComponent: Bool {
        utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .contains(where: \.isEmpty)
    }
}
