#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Brings the bytes behind a URL, or a ready image. It never decodes.
public protocol ImageLoader: ImagePlugin {
    /// Whether `url` is for this loader. The loader installed last is asked first.
    func canLoad(_ url: URL) -> Bool

    /// Brings what `request` asks for. Cancelling the task ends the transfer.
    func load(_ request: LoadRequest) async throws -> LoadResponse

    /// What identifies the state of a source on this machine, such as a file's inode and date; `nil` for all others.
    ///
    /// Answer fast, without waiting. Originals with a local version are not kept in the disk cache, and what was made of
    /// them counts only while the version is the same.
    func localVersion(of url: URL) -> String?

    /// The header fields that would be sent for `request`, with names in lower case, as far as that is known beforehand.
    ///
    /// They tell whether a response that varies with them is the right one. Of secrets it is enough that there is one: `*`
    /// will do. Answer fast, without waiting.
    func requestFields(for request: LoadRequest) -> [String: String]

    /// Throws when its configuration cannot work, with a sentence that names the knob. It is asked when a manager is made.
    func validate() throws(ImageError)

    /// Whether `error`, which this loader threw, is worth remembering, so that the URL is not tried again for a while.
    func remembers(_ error: ImageError) -> Bool

    /// Whether it refuses some URLs or places. Only then are `check(_:)` and `permits(_:for:)` asked about everything that a
    /// cache has; what came with credentials is asked about in any case. It never changes.
    var restrictsAccess: Bool { get }

    /// Throws an error of kind `refused` when `request` may not be made, as far as that is known without asking anybody.
    ///
    /// It is asked before any cache is, so that a cache gives nothing to a request that its loader would refuse. Answer fast,
    /// without waiting.
    func check(_ request: LoadRequest) throws(ImageError)

    /// Whether `request` may have what was reached in the way of `route`, possibly by another loader; where not, it is as if
    /// the cache did not have it.
    ///
    /// `route` is `nil` for what came from a loader that does not tell. A loader that fills in `LoadResponse.route` answers
    /// true for what it has just brought. Answer fast, without waiting.
    func permits(_ route: SourceRoute?, for request: LoadRequest) -> Bool
}

extension ImageLoader {
    /// The default, for sources that are not on this machine: `nil`.
    public func localVersion(of url: URL) -> String? { nil }

    /// The default, for loaders that send none: nothing.
    public func requestFields(for request: LoadRequest) -> [String: String] { [:] }

    /// The default finds nothing wrong.
    public func validate() throws(ImageError) {}

    /// The default remembers what trying again would not mend: URLs that cannot be loaded and bytes that cannot be decoded.
    ///
    /// An origin that cannot be reached, a status and a content type are not among them: they may be others a moment later.
    public func remembers(_ error: ImageError) -> Bool { [.invalidURL, .corrupt, .noCoder].contains(error.kind) }

    /// The default, for loaders that take all of their URLs: no.
    public var restrictsAccess: Bool { false }

    /// The default refuses nothing.
    public func check(_ request: LoadRequest) throws(ImageError) {}

    /// The default permits what came without credentials, or with no others than `requestFields(for:)` tells.
    public func permits(_ route: SourceRoute?, for request: LoadRequest) -> Bool {
        guard let route, route.usesCredentials else { return true }
        let sent = Set(requestFields(for: request).filter { !$0.value.isEmpty }.keys)
        return route.hops.allSatisfy { $0.credentials.isSubset(of: sent) }
    }

    /// Adds the loader, which is asked before all others from now on.
    public func install(in components: inout ImageManager.Components) { components.loaders.append(self) }
}

/// What a loader is asked. A struct, so that a new field breaks no plug-in.
public struct LoadRequest: Sendable {
    /// Where the bytes are.
    public var url: URL

    /// What the caller wants.
    public var context: ImageContext

    /// How the origin answered when the bytes that a cache holds came. A loader that can asks whether they still hold,
    /// and then answers `notModified`.
    public var stored: ResponseMetadata?

    /// How urgent it is, now: it changes when callers join or leave. For loaders whose transfers wait for each other.
    public var urgency: Urgency

    /// Hears how the transfer goes on, for events and reports. Telling is optional; it may be done from any thread.
    public var report: @Sendable (TransferMilestone) -> Void = { _ in }

    /// A request for `url`. It is as urgent as `context.priority` says, and stays so, unless there is an `urgency`.
    public init(
        url: URL, context: ImageContext = .init(), stored: ResponseMetadata? = nil, urgency: Urgency? = nil
    ) {
        self.url = url
        self.context = context
        self.stored = stored
        self.urgency = urgency ?? .constant(context.priority)
    }
}
