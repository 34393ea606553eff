/// Groups the requests of one call by the decode that they can share. Requests that a cache can satisfy need none.
struct SizesPlan: Sendable {
    /// A request and its index in the call.
    struct Member: Sendable {
        let index: Int
        let request: Request
    }

    /// The requests that share one decode: that of the base, which has the largest size.
    struct Group: Sendable {
        let base: Member
        var others: [Member] = []
    }

    private(set) var groups: [Group] = []

    /// Creates a plan for `requests`. `isCached` states for each request whether a cache can satisfy it.
    init(_ requests: [Request], isCached: [Bool]) {
        let members = requests.indices.map { Member(index: $0, request: requests[$0]) }
        for member in members.sorted(by: { $0.request.boundArea > $1.request.boundArea }) where !isCached[member.index]
        {
            if let index = groups.firstIndex(where: { $0.base.request.canBeBase(of: member.request) }) {
                groups[index].others.append(member)
            } else {
                groups.append(Group(base: member))
            }
        }
        groups += members.filter { isCached[$0.index] }.map { Group(base: $0) }
    }
}

extension Request {
    /// The area of the thumbnail bounds; infinite for the full size.
    fileprivate var boundArea: Double {
        guard let thumbnail = context.thumbnail, thumbnail.width > 0, thumbnail.height > 0 else { return .infinity }
        return thumbnail.width * thumbnail.height
    }

    /// Returns whether the image decoded for this request has all the pixels that `other` needs.
    fileprivate func canBeBase(of other: Request) -> Bool {
        guard other.sizelessFlight == sizelessFlight, context.scaleDownByteCount == nil else { return false }
        guard boundArea < .infinity, let own = context.thumbnail else { return true }
        guard other.boundArea < .infinity, let others = other.context.thumbnail else { return false }
        return own.mode == .fit && others.mode == .fit && own.inLinearLight == others.inLinearLight
            && own.width >= others.width && own.height >= others.height
    }
}
