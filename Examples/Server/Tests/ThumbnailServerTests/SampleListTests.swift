import DarkroomTestKit
import Dispatch
import Foundation
import Testing

@testable import ThumbnailServer

@Suite(.bounded)
struct SampleListTests {
    @Test func namesOfImagesAreListed() async {
        let list = SampleList(of: fixtureFolder) { _ in ["b.png", "a.jpg", "a.txt", "png", ".png", "c.JPEG"] }
        #expect(await list.names() == [".png", "a.jpg", "b.png", "c.JPEG"])
        #expect(await SampleList(of: nil).names().isEmpty)
        #expect(await SampleList(of: URL(filePath: "/none")).names().isEmpty)
    }

    @Test func firstRequestsGetTheListThatTheyWaitFor() async {
        let (listings, hold) = (Gate(), DispatchSemaphore(value: 0))
        let list = SampleList(of: fixtureFolder) { _ in
            if listings.arrive() == 1 { hold.wait() }
            return ["a.png"]
        }
        let first = Task { await list.names() }
        await listings.waitForArrivals(1)
        let second = Task { await list.names() }
        hold.signal()
        #expect(await first.value == ["a.png"])
        #expect(await second.value == ["a.png"])
    }

    @Test func requestsDoNotWaitForAFolderThatHangs() async {
        let (listings, hold) = (Gate(), DispatchSemaphore(value: 0))
        let list = SampleList(of: fixtureFolder) { _ in
            guard listings.arrive() == 2 else { return ["a.png"] }
            hold.wait()
            return ["b.png"]
        }
        #expect(await list.names() == ["a.png"])
        let hanging = Task { await list.names() }
        await listings.waitForArrivals(2)
        #expect(await list.names() == ["a.png"])
        hold.signal()
        #expect(await hanging.value == ["b.png"])
        #expect(await list.names() == ["a.png"])
    }
}
