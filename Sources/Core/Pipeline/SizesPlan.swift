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
    /// The bounds of the image that is decoded for this request, and whether they are those of a reduction. `nil` for the full
    /// size.
    private var decodeBounds: (thumbnail: Thumbnail, isReduction: Bool)? {
        if let reduction { return (reduction.bounds, true) }
        guard let thumbnail = context.thumbnail, thumbnail.width > 0, thumbnail.height > 0 else { return nil }
        return (thumbnail, false)
    }

    /// The area of the bounds; infinite for the full size.
    fileprivate var boundArea: Double {
        decodeBounds.map { $0.thumbnail.width * $0.thumbnail.height } ?? .infinity
    }

    /// Returns whether the image decoded for this request has all the pixels that `other` needs.
    fileprivate func canBeBase(of other: Request) -> Bool {
        guard other.sizelessFlight == sizelessFlight, context.scaleDownByteCount == nil else { return false }
        guard let own = decodeBounds else { return true }
        guard let others = other.decodeBounds else { return false }
        guard own.isReduction || others.isReduction else { return own.thumbnail.canBeBase(of: others.thumbnail) }
        guard own.isReduction || own.thumbnail.mode == .fit,
            !own.thumbnail.inLinearLight, !others.thumbnail.inLinearLight
        else { return false }
        let needed = others.isReduction ? others.thumbnail : Reduction(to: others.thumbnail).bounds
        return own.thumbnail.hasPixels(of: needed)
    }
}

extension Thumbnail {
    /// Returns whether `other` may be scaled down from this thumbnail. A cropped one lacks pixels, and light cannot be
    /// blended twice in different ways.
    fileprivate func canBeBase(of other: Thumbnail) -> Bool {
        mode == .fit && other.mode == .fit && inLinearLight == other.inLinearLight && width >= other.width
            && height >= other.height
    }

    /// Returns whether the image is at least as large in both directions as for `other`, before anything is cropped.
    fileprivate func hasPixels(of other: Thumbnail) -> Bool {
        let isLarger = mode == other.mode || mode == .cover || other.mode == .fit
        return isLarger && width >= other.width && height >= other.height
    }
}
