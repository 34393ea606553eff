package import Darkroom

/// Renders an image with half blocks: each character shows two pixels, one above the other.
///
/// A pixel with an alpha below 128 shows the terminal's background; any other is drawn opaque.
package struct BlockRenderer: TerminalRenderer {
    package let colors: TerminalColors

    package func bounds(rowCount: Int, of terminal: TerminalSize) -> PixelSize {
        PixelSize(terminal.columns, rowCount * 2)
    }

    package func render(_ bitmap: Bitmap, number: Int, on terminal: TerminalSize) -> TerminalImage {
        var text = ""
        let rowCount = (bitmap.size.height + 1) / 2
        for row in 0..<rowCount {
            var pen = Pen(colors: colors)
            for x in 0..<bitmap.size.width {
                pen.draw(
                    upper: bitmap.shownColor(x: x, y: row * 2), lower: bitmap.shownColor(x: x, y: row * 2 + 1),
                    to: &text)
            }
            text += "\u{1B}[0m\r\n"
        }
        return TerminalImage(text: text, rowCount: rowCount)
    }
}

/// Emits characters, and colour changes only where the colour differs from the current one.
private struct Pen {
    private let colors: TerminalColors
    private var foreground: Color?
    private var background: Color?

    init(colors: TerminalColors) { self.colors = colors }

    mutating func draw(upper: Color?, lower: Color?, to text: inout String) {
        switch (upper, lower) {
        case (nil, nil): draw(" ", foreground: foreground, background: nil, to: &text)
        case (nil, let lower): draw("▄", foreground: lower, background: nil, to: &text)
        case (let upper, let lower): draw("▀", foreground: upper, background: lower, to: &text)
        }
    }

    private mutating func draw(
        _ character: Character, foreground newForeground: Color?, background newBackground: Color?,
        to text: inout String
    ) {
        if let newForeground, newForeground != foreground {
            text += "\u{1B}[38;\(colors.parameters(of: newForeground))m"
            foreground = newForeground
        }
        if newBackground != background {
            text += newBackground.map { "\u{1B}[48;\(colors.parameters(of: $0))m" } ?? "\u{1B}[49m"
            background = newBackground
        }
        text.append(character)
    }
}

extension Bitmap {
    /// Returns the colour of a pixel, or `nil` if it is mostly transparent.
    fileprivate func shownColor(x: Int, y: Int) -> Color? {
        color(x: x, y: y).flatMap { $0.alpha < 128 ? nil : Color(red: $0.red, green: $0.green, blue: $0.blue) }
    }
}
