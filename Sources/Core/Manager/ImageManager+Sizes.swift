#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension ImageManager {
    /// Loads one picture as each of `contexts` wants it, and answers in their order.
    ///
    /// It is fetched once. Sizes that differ in nothing but the bounds they fit into are made of one decoded picture, that
    /// of the largest; each is sized and transformed on its own, and kept under its own key.
    public func load(_ url: URL, contexts: [ImageContext]) async -> [Result<LoadResult, ImageError>] {
        let plans = await plans(for: contexts.map { Request(url, $0, self) })
        return await withTaskGroup(of: [(Int, Result<LoadResult, ImageError>)].self) { group in
            for plan in plans { group.addTask { [self] in await load(plan) } }
            var results = [Result<LoadResult, ImageError>](repeating: .failure(.cancelled), count: contexts.count)
            for await answers in group {
                for (index, result) in answers { results[index] = result }
            }
            return results
        }
    }

    /// Loads the base, and then all that is made of it.
    private func load(_ plan: SizePlan) async -> [(Int, Result<LoadResult, ImageError>)] {
        let decode = SharedDecode(base: plan.base.request)
        let first = await result(of: plan.base, decode)
        return await withTaskGroup(of: (Int, Result<LoadResult, ImageError>).self) { group in
            for member in plan.others { group.addTask { [self] in await result(of: member, decode) } }
            return await group.reduce(into: [first]) { $0.append($1) }
        }
    }

    private func result(
        of member: SizePlan.Member, _ decode: SharedDecode
    ) async -> (Int, Result<LoadResult, ImageError>) {
        do throws(ImageError) {
            return (member.index, .success(try await observed(member.request.sharing(decode), nil)))
        } catch {
            return (member.index, .failure(error))
        }
    }

    /// What is made of what. What the caches have needs no decoding of the original.
    private func plans(for requests: [Request]) async -> [SizePlan] {
        var cached: [SizePlan] = []
        var plans: [SizePlan] = []
        var missing: [SizePlan.Member] = []
        for (index, request) in requests.enumerated() {
            let member = SizePlan.Member(index: index, request: request)
            if await isCached(request) { cached.append(SizePlan(base: member)) } else { missing.append(member) }
        }
        for member in missing.sorted(by: { $0.request.boundArea > $1.request.boundArea }) {
            if let base = plans.firstIndex(where: { $0.base.request.canBeBase(of: member.request) }) {
                plans[base].others.append(member)
            } else {
                plans.append(SizePlan(base: member))
            }
        }
        return cached + plans
    }
}

/// Sizes that are made of one decoded picture.
private struct SizePlan: Sendable {
    struct Member: Sendable {
        let index: Int
        let request: Request
    }

    let base: Member
    var others: [Member] = []
}

extension Request {
    /// The area that a thumbnail may have; infinite for the full size.
    fileprivate var boundArea: Double {
        guard let thumbnail = context.thumbnail, thumbnail.width > 0, thumbnail.height > 0 else { return .infinity }
        return thumbnail.width * thumbnail.height
    }

    /// Whether what is decoded for this request has all the pixels that `other` needs.
    fileprivate func canBeBase(of other: Request) -> Bool {
        guard other.sizelessFlight == sizelessFlight, context.scaleDownByteCount == nil else { return false }
        guard boundArea < .infinity, let own = context.thumbnail else { return true }
        guard other.boundArea < .infinity, let others = other.context.thumbnail else { return false }
        return own.preservesAspectRatio && others.preservesAspectRatio && own.width >= others.width
            && own.height >= others.height
    }

    /// What requests have in common that decode the same picture, at whatever size.
    private var sizelessFlight: FlightKey {
        var context = context
        context.thumbnail = nil
        context.transformers = []
        return FlightKey(
            key: CacheKey(source: key?.source ?? url.absoluteString, context.variant), context,
            isCached: key != nil)
    }
}
