@testable import DarkroomGTK
import DarkroomTestKit
import Testing

struct LoadWindowTests {
    @Test(arguments: [
        (100..<120, true, 10, 120..<130, 90..<130),
        (100..<120, false, 10, 90..<100, 90..<130),
        (0..<20, true, 30, 20..<50, 0..<50),
        (0..<20, false, 30, 0..<0, 0..<50),
        (180..<200, true, 10, 200..<200, 170..<200),
        (185..<215, true, 10, 200..<200, 175..<200),
        (0..<0, true, 10, 0..<10, 0..<10),
    ])
    func windowIsAheadOfTheScreenAndKeepsAsMuchBehind(
        visible: Range<Int>, isForward: Bool, margin: Int, ahead: Range<Int>, kept: Range<Int>
    ) {
        let window = LoadWindow(visible: visible, isForward: isForward, margin: margin, count: 200)
        #expect(window.ahead == ahead)
        #expect(window.kept == kept)
        #expect(window.visible == visible.clamped(to: 0..<200))
        #expect(window.aheadByDistance == (isForward ? Array(ahead) : ahead.reversed()))
    }

    @Test func emptyListHasAnEmptyWindow() {
        let window = LoadWindow(visible: 0..<3, isForward: true, margin: 5, count: 0)
        #expect(window.visible.isEmpty && window.ahead.isEmpty && window.kept.isEmpty)
    }

    @Test func everyWindowOfARandomScrollContainsItsParts() {
        var generator = SeededGenerator(seed: 1)
        for _ in 0..<2000 {
            let count = Int.random(in: 0...50, using: &generator)
            let first = Int.random(in: 0...60, using: &generator)
            let window = LoadWindow(
                visible: first..<first + Int.random(in: 0...20, using: &generator),
                isForward: .random(using: &generator), margin: .random(in: 0...70, using: &generator), count: count)
            #expect(window.kept.clamped(to: 0..<count) == window.kept, "nothing beyond the list")
            #expect(window.ahead.allSatisfy { window.kept.contains($0) && !window.visible.contains($0) })
            #expect(window.visible.allSatisfy(window.kept.contains))
        }
    }
}
