import DarkroomCore
import DarkroomGIF
import FoundationEssentials
import TestSupport
import Testing

@Suite struct GIFInfoTests {
    private func info(of data: Data) throws -> ImageInfo { try GIFCoder().info(of: data) }

    @Test func animationIsReported() throws {
        let info = try info(of: Fixture("gif-animated.gif").data)
        #expect(info.storedSize == PixelSize(35, 21))
        #expect(info.frameCount == 3)
        #expect(info.frameDurations == [.milliseconds(100), .milliseconds(200), .milliseconds(300)])
        #expect(info.loopCount == 0)
        #expect(info.colorModel == .indexed)
        #expect(info.bitsPerChannel == 8)
    }

    @Test func stillHasNoDurationsAndDoesNotLoop() throws {
        let info = try info(of: Fixture("gif-89a.gif").data)
        #expect(info.frameCount == 1)
        #expect(info.frameDurations.isEmpty)
        #expect(info.loopCount == 0)
    }

    @Test(arguments: [
        ("gif-89a", false), ("gif-87a", false), ("gif-interlaced", false), ("gif-no-screen", false),
        ("gif-transparent", true), ("gif-small-frame", true), ("gif-animated-partial", true), ("gif-animated", true),
    ])
    func transparentIndexOrUncoveredScreenMeansAlpha(_ name: String, _ hasAlpha: Bool) throws {
        #expect(try info(of: Fixture("\(name).gif").data).hasAlpha == hasAlpha)
    }

    @Test(arguments: [(0, 0.1), (1, 0.1), (2, 0.02), (3, 0.03), (10, 0.1), (65_535, 655.35)])
    func tooShortDelayIsATenthOfASecond(_ hundredths: Int, _ seconds: Double) throws {
        let data = GIFBuilder().control(delay: hundredths).frame().control(delay: 7).frame().data
        #expect(try info(of: data).frameDurations == [Duration(saturatingSeconds: seconds), .milliseconds(70)])
    }

    @Test func missingDelayIsATenthOfASecond() throws {
        let data = GIFBuilder().control(delay: 7).frame().frame().data
        #expect(try info(of: data).frameDurations == [.milliseconds(70), .milliseconds(100)])
    }

    @Test(arguments: [
        ("NETSCAPE2.0", 0, 0), ("NETSCAPE2.0", 7, 7), ("ANIMEXTS1.0", 65_535, 65_535), ("XMP DataXMP", 7, 1),
    ])
    func storedLoopCountIsReported(_ application: String, _ stored: Int, _ count: Int) throws {
        let data = GIFBuilder().loop(application, stored).frame().frame().data
        #expect(try info(of: data).loopCount == count)
    }

    @Test func animationWithoutLoopBlockPlaysOnce() throws {
        #expect(try info(of: GIFBuilder().frame().frame().data).loopCount == 1)
    }

    @Test func garbageAfterTheFramesIsIgnored() throws {
        let data = GIFBuilder().frame().frame().data.dropLast() + Data([0, 1, 2, 3])
        #expect(try info(of: data).frameCount == 2)
    }

    @Test func frameCountsOnceItsDataHasBegun() throws {
        let (one, two) = (GIFBuilder().frame().data.dropLast(), GIFBuilder().frame().frame().data)
        for count in one.count...two.count {
            #expect(try info(of: two.prefix(count)).frameCount == (count < one.count + 11 ? 1 : 2), "\(count) bytes")
        }
    }

    @Test func headerIsKnownWithTheFirstDescriptor() throws {
        let data = GIFBuilder().frame().data
        let descriptor = 13 + 12 + 10
        for count in 0..<descriptor {
            let error = #expect(throws: ImageError.self) { try info(of: data.prefix(count)) }
            #expect(error?.kind == .incomplete)
        }
        #expect(try info(of: data.prefix(descriptor)).storedSize == PixelSize(2, 1))
    }
}
