@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import Testing

private enum WatermarkKey: ImageContextKey {
    static var defaultValue: String? { nil }
    static func effect(of value: String?) -> ContextEffect { .result(value.map { "Watermark(\($0))" }) }
}

private struct Negative: ImageTransformer {
    var identifier: String { "Negative()" }
    func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap { bitmap }
}

struct ImageContextTests {
    @Test func customKeysWorkLikeBuiltInKeys() {
        var context = ImageContext()
        #expect(context[WatermarkKey.self] == nil)
        context[WatermarkKey.self] = "logo"
        #expect(context[WatermarkKey.self] == "logo")
        #expect(context.variant.parts == ["Watermark(logo)"])
    }

    @Test func variantContainsThumbnailSortedFragmentsAndTransformers() {
        let context = ImageContext {
            $0[WatermarkKey.self] = "logo"
            $0.transformers = [Negative(), Negative()]
            $0.usesFirstFrameOnly = true
            $0.thumbnail = .fit(1, 2)
        }
        #expect(
            context.variant.parts
                == ["Thumbnail({1.000000,2.000000},1)", "FirstFrame(1)", "Watermark(logo)", "Negative()", "Negative()"])
    }

    @Test func defaultValuesAddNothing() {
        let context = ImageContext {
            $0.thumbnail = nil
            $0.usesFirstFrameOnly = false
            $0.limits = .default
            $0.cacheUse = .standard
            $0.scale = 2
        }
        #expect(context.variant.parts == [])
        #expect(context.flightFragments == [])
    }

    @Test func setValuesOverrideDefaults() {
        let defaults = ImageContext {
            $0.thumbnail = .fit(1, 1)
            $0.usesFirstFrameOnly = true
        }
        let merged = ImageContext { $0.thumbnail = .fit(2, 2) }.withDefaults(defaults)
        #expect(merged.thumbnail == .fit(2, 2))
        #expect(merged.usesFirstFrameOnly)
    }

    @Test func limitsSeparateRunsButNotKeys() {
        var contexts = DecodeLimits.numbers.map { number in ImageContext { $0.limits[keyPath: number] = 1 } }
        contexts.append(ImageContext { $0.limits.workTime = .milliseconds(1) })
        // No limit is forgotten.
        #expect(contexts.count == Mirror(reflecting: DecodeLimits.default).children.count)
        #expect(contexts.allSatisfy { $0.variant.parts == [] })
        #expect(Set((contexts + [ImageContext()]).map(\.flightFragments)).count == contexts.count + 1)
    }

    @Test func cachePoliciesSeparateRunsButNotKeys() {
        let tiers: [WritableKeyPath<CachePolicy, CachePolicy.Tiers>] = [
            \.query, \.store, \.originalQuery, \.originalStore,
        ]
        let contexts = tiers.map { tiers in ImageContext { $0.cachePolicy[keyPath: tiers] = .none } }
        // No set of tiers is forgotten.
        #expect(contexts.count == Mirror(reflecting: CachePolicy()).children.count)
        #expect(contexts.allSatisfy { $0.variant.parts == [] })
        #expect(Set((contexts + [ImageContext()]).map(\.flightFragments)).count == contexts.count + 1)
    }
}
