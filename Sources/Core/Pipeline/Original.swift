import DarkroomPlatform

/// The image as its source provides it, from which variants are made.
///
/// It is a class, because it is large and often passed on.
@dynamicMemberLookup
final class Original: Sendable {
    enum Body: Sendable {
        case data(Data)
        case image(Image)
    }

    /// The values of an original.
    struct Properties: Sendable {
        let body: Body
        let origin: LoadResult.Origin
        let version: OriginalVersion?
        /// The entry for the data cache; `nil` if the loader delivered a decoded image.
        var entry: DataEntry?
        /// The bytes as they arrived, if they were just received in chunks.
        var received: ReceivedBytes?
        /// The error of an image made from it, if no coder accepts its bytes.
        var imageError: ImageError?
        /// Whether storing it, and any result made from it, is forbidden.
        var forbidsStore = false
        /// The decision on the cached original.
        let decision: CacheDecision
        /// The report of the run that fetched it.
        var report = LoadReport(decision: .missing)
        /// The values of the `Set-Cookie` fields of its response.
        var setCookies: [String] = []
        /// The memory reserved for its bytes, if a loader or a data cache has just delivered them.
        var memory: TransferMemory?
        /// The tickets with which it, and any result made from it, are stored.
        var tickets = StoreTickets.refused
    }

    private let properties: Properties

    init(_ properties: Properties) { self.properties = properties }

    /// Creates an original from the decoded `image` in memory.
    convenience init(_ image: Image, decision: CacheDecision) {
        self.init(.init(body: .image(image), origin: .memory, version: image.metadata.original, decision: decision))
    }

    /// Creates an original from an entry of the data cache.
    convenience init(
        _ entry: DataEntry, origin: LoadResult.Origin = .disk, decision: CacheDecision, forbidsStore: Bool = false,
        setCookies: [String]? = nil
    ) {
        self.init(
            .init(
                body: .data(entry.data), origin: origin, version: entry.metadata.original, entry: entry,
                forbidsStore: forbidsStore, decision: decision,
                setCookies: setCookies ?? entry.metadata.setCookies))
    }

    subscript<Value>(dynamicMember property: KeyPath<Properties, Value>) -> Value { properties[keyPath: property] }

    var isStale: Bool { properties.decision.isStale }

    /// Whether its bytes come from a data cache.
    var isCached: Bool { properties.origin == .disk || properties.origin == .sharedCache }

    /// Returns the same original with the report of its run.
    func reported(_ report: LoadReport) -> Original {
        var properties = properties
        properties.report = report
        properties.report.decision = properties.decision
        return Original(properties)
    }

    /// Returns the same original, which is stored with `tickets`.
    func storing(with tickets: StoreTickets) -> Original {
        var properties = properties
        properties.tickets = tickets
        return Original(properties)
    }

    /// Returns the same original, of which no image can be made. It is not stored.
    func failing(with error: ImageError) -> Original {
        var properties = properties
        properties.imageError = error
        properties.forbidsStore = true
        return Original(properties)
    }

    /// Returns the same original, whose bytes are counted in `memory` for as long as it is referenced.
    func holding(_ memory: TransferMemory) -> Original {
        var properties = properties
        properties.memory = memory
        return Original(properties)
    }
}
