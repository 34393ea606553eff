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
