@testable import DarkroomCore
import TestSupport
import Testing

struct UrgencyTests {
    @Test func whoWatchesHearsEachChangeUntilItForgets() {
        let (urgency, heard) = (Urgency(.low), Recorder<LoadPriority>())
        var watch: Urgency.Watch? = urgency.watch { heard.note(urgency.priority) }
        urgency.set(.low)
        urgency.set(.high)
        urgency.set(.normal)
        #expect(heard.values == [.high, .normal])
        #expect(watch != nil)
        watch = nil
        urgency.set(.low)
        #expect(heard.values.count == 2 && urgency.priority == .low)
    }

    @Test(arguments: LoadPriority.allCases)
    func aConstantNeverChanges(priority: LoadPriority) {
        let (urgency, heard) = (Urgency.constant(priority), Recorder<LoadPriority>())
        let watch = urgency.watch { heard.note(urgency.priority) }
        for other in LoadPriority.allCases { urgency.set(other) }
        #expect(urgency.priority == priority && heard.values.isEmpty)
        #expect(Urgency.constant(priority) === urgency)
        withExtendedLifetime(watch) {}
    }

    @Test func aRequestIsAsUrgentAsItsContextUnlessToldOtherwise() {
        let context = ImageContext { $0.priority = .high }
        #expect(LoadRequest(url: Darkbox.url, context: context).urgency.priority == .high)
        let urgency = Urgency(.low)
        #expect(LoadRequest(url: Darkbox.url, context: context, urgency: urgency).urgency === urgency)
    }
}
