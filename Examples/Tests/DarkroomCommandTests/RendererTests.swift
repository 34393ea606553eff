import Darkroom
import Foundation
import Testing

@testable import Console

struct RendererTests {
    private static let (red, blue) = (Color(red: 255, green: 0, blue: 0), Color(red: 0, green: 0, blue: 255))

    @Test func twoPixelsAreOneCharacter() throws {
        let bitmap = try Bitmap.rows([[Self.red, Self.red], [Self.blue, Self.blue], [Self.blue, Self.red]])
        #expect(
            blocks(bitmap) == """
                ␛[38;2;255;0;0m␛[48;2;0;0;255m▀▀␛[0m
                ␛[38;2;0;0;255m▀␛[38;2;255;0;0m▀␛[0m

                """)
    }

    @Test func transparentPixelsShowTheTerminal() throws {
        let bitmap = try Bitmap.rows([[nil, Self.red, nil, Self.red], [nil, nil, Self.blue, Self.blue]])
        #expect(
            blocks(bitmap) == """
                 ␛[38;2;255;0;0m▀␛[38;2;0;0;255m▄␛[38;2;255;0;0m␛[48;2;0;0;255m▀␛[0m

                """)
    }

    @Test func backgroundColorIsResetAfterAnImage() throws {
        let bitmap = try Bitmap.rows([[Self.red, nil], [Self.blue, nil]])
        #expect(blocks(bitmap) == "␛[38;2;255;0;0m␛[48;2;0;0;255m▀␛[49m ␛[0m\n")
    }

    @Test(arguments: [
        (Color(red: 255, green: 0, blue: 0), 196), (Color(red: 255, green: 255, blue: 255), 231),
        (Color(red: 0, green: 0, blue: 0), 16), (Color(red: 128, green: 128, blue: 128), 244),
        (Color(red: 100, green: 130, blue: 180), 67), (Color(red: 238, green: 238, blue: 238), 255),
    ])
    func paletteTerminalsGetTheNearestColor(color: Color, index: Int) {
        #expect(TerminalColors.palette.parameters(of: color) == "5;\(index)")
    }

    @Test func largeImagesAreSentInChunks() throws {
        let renderer = KittyRenderer(identifier: 7)
        let terminal = TerminalSize(columns: 80, rows: 24, cell: PixelSize(8, 16))
        let bitmap = try Bitmap(PixelSize(50, 33), hasAlpha: true) { $0[3] = 1 }
        let image = renderer.render(bitmap, number: 0, on: terminal)
        let commands = image.text.split(separator: "\u{1B}\\").map { $0.split(separator: ";") }
        #expect(image.rowCount == 3)
        #expect(commands[0][0] == "\u{1B}_Ga=T,q=2,C=1,i=7,f=32,s=50,v=33,m=1")
        #expect(commands.dropFirst().map { $0[0] } == ["\u{1B}_Gq=2,m=1", "\u{1B}_Gq=2,m=0", "\u{1B}[3B"])
        let parts = commands.dropLast().map { $0[1] }
        #expect(parts.allSatisfy { $0.utf8.count <= 4096 })
        #expect(Data(base64Encoded: parts.joined()) == bitmap.withPixels { Data($0.indices.map { $0 == 3 ? 1 : 0 }) })
    }

    @Test func nextImageReplacesThePreviousOne() throws {
        let image = KittyRenderer(identifier: 7).render(try .row([1]), number: 1, on: .standard)
        let commands = ["Ga=T,q=2,C=1,i=8,f=24,s=1,v=1,r=1,m=0;ZGRk", "Ga=d,d=I,q=2,i=7"]
        #expect(image.text == commands.map { "\u{1B}_\($0)\u{1B}\\" }.joined() + "\u{1B}[1B")
    }

    @Test(arguments: [
        (["TERM": "xterm-kitty"], TerminalStyle.kitty), (["TERM": "xterm", "KITTY_WINDOW_ID": "1"], .kitty),
        (["TERM_PROGRAM": "WezTerm"], .kitty), (["TERM_PROGRAM": "ghostty"], .kitty), (["TERM": "xterm"], .blocks),
        (["TERM": "tmux-256color", "KITTY_WINDOW_ID": "1"], .blocks),
        (["TERM": "xterm-kitty", "TMUX": "/tmp/x"], .blocks), ([:], .blocks),
    ])
    func graphicsAreUsedIfSupported(environment: [String: String], style: TerminalStyle) {
        #expect(TerminalStyle(environment: environment) == style)
    }

    @Test func boundsDependOnTheStyle() {
        let terminal = TerminalSize(columns: 80, rows: 24, cell: PixelSize(9, 18))
        #expect(BlockRenderer(colors: .all).bounds(rowCount: 23, of: terminal) == PixelSize(80, 46))
        #expect(KittyRenderer(identifier: 1).bounds(rowCount: 23, of: terminal) == PixelSize(720, 414))
    }

    /// Returns the text with readable escapes and line breaks.
    private func blocks(_ bitmap: Bitmap) -> String {
        BlockRenderer(colors: .all).render(bitmap, number: 0, on: .standard).text
            .replacing("\r\n", with: "\n").replacing("\u{1B}", with: "␛")
    }
}
