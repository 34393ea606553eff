import Testing

@testable import Console

struct ScreenTests {
    private let image = TerminalImage(text: "▀▀", rowCount: 2)

    @Test func nextImageIsDrawnOverTheFirst() {
        var state = ScreenState()
        let texts = [state.draw(image, on: .standard), state.draw(image, on: .standard)]
        #expect(texts[0] == "\u{1B}[?2026h\u{1B}[?25l\r\n\n\u{1B}[2A▀▀\u{1B}[?2026l")
        #expect(texts[1] == "\u{1B}[?2026h\r\u{1B}[2A▀▀\u{1B}[?2026l")
    }

    @Test func resizedTerminalIsCleared() {
        var state = ScreenState()
        _ = state.draw(image, on: .standard)
        let text = state.draw(image, on: TerminalSize(columns: 40, rows: 9, cell: nil))
        #expect(text.hasPrefix("\u{1B}[?2026h\u{1B}[2J\u{1B}[H\n\n\u{1B}[2A"))
    }

    @Test func leavingRestoresTheCursorOnce() {
        var state = ScreenState()
        #expect(state.leave().isEmpty)
        _ = state.draw(image, on: .standard)
        #expect(state.leave() == "\u{1B}[?2026l\u{1B}[0m\u{1B}[?25h")
        #expect(state.leave().isEmpty)
        #expect(state.draw(image, on: .standard).contains("\u{1B}[?25l"))
    }
}
