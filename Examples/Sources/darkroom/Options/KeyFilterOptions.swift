import ArgumentParser
import Console
import Darkroom

/// The options that normalize a URL before it becomes a key.
struct KeyFilterOptions: ParsableArguments {
    @Option(
        name: .customLong("drop-query"),
        help: ArgumentHelp("Remove the query item with this name from the key.", valueName: "name"))
    var droppedItems: [String] = []

    @Option(
        name: .customLong("keep-query"),
        help: ArgumentHelp("Remove all query items except the one with this name from the key.", valueName: "name"))
    var keptItems: [String] = []

    @Flag(help: "Remove the signatures of AWS, Google Cloud Storage, Azure and CloudFront from the key.")
    var dropSignatures = false

    @Flag(help: "Sort the query items.")
    var sortQuery = false

    @Flag(help: "Convert scheme and host to lower case.")
    var lowercaseHost = false

    @Option(
        name: .customLong("map-host"), help: ArgumentHelp("Replace one host with another.", valueName: "from=to")
    )
    var hosts: [HostPair] = []

    /// The filters, in the order in which they are applied.
    var filters: [any CacheKeyFilter] {
        var filters: [any CacheKeyFilter] = []
        if !hosts.isEmpty { filters.append(.mapHost(Dictionary(hosts.map { ($0.from, $0.to) }) { $1 })) }
        if lowercaseHost { filters.append(.lowercaseHost) }
        if dropSignatures { filters.append(.removeSignatures) }
        if !droppedItems.isEmpty { filters.append(.removeQueryItems(droppedItems)) }
        if !keptItems.isEmpty { filters.append(.keepQueryItems(keptItems)) }
        if sortQuery { filters.append(.sortQuery) }
        return filters
    }
}

/// Two hosts, written `img1.example.com=img.example.com`.
struct HostPair: ExpressibleByArgument {
    let from, to: String

    init?(argument: String) {
        let parts = argument.fields(separatedBy: UInt8(ascii: "=")).map(String.init)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
        (from, to) = (parts[0], parts[1])
    }
}
