@testable import DarkroomCore
import DarkroomTestKit
import TestSupport
import Testing

struct UrgencyTests {
    @Test func observerReceivesEachChangeUntilItsWatchEnds() {
        let (urgency, observed) = (Urgency(.low), Recorder<LoadPriority>())
        var watch: Urgency.Watch? = urgency.watch { observed.note(urgency.priority) }
        urgency.priority = .low
        urgency.priority = .high
        urgency.priority = .normal
        #expect(observed.values == [.high, .normal])
        #expect(watch != nil)
        watch = nil
        urgency.priority = .low
        #expect(observed.values.count == 2 && urgency.priority == .low)
    }

    @Test(arguments: LoadPriority.allCases)
    func constantUrgencyNeverChanges(priority: LoadPriority) {
        let (urgency, observed) = (Urgency.constant(priority), Recorder<LoadPriority>())
        let watch = urgency.watch { observed.note(urgency.priority) }
        for other in LoadPriority.allCases { urgency.priority = other }
        #expect(urgency.priority == priority && observed.values.isEmpty)
        #expect(Urgency.constant(priority) === urgency)
        withExtendedLifetime(watch) {}
    }

    @Test func requestHasTheUrgencyOfItsContextByDefault() {
        let context = ImageContext { $0.priority = .high }
        #expect(LoadRequest(url: Darkbox.url, context: context).urgency.priority == .high)
        let urgency = Urgency(.low)
        #expect(LoadRequest(url: Darkbox.url, context: context, urgency: urgency).urgency === urgency)
    }
}
