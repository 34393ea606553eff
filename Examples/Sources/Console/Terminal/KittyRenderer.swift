package import Darkroom

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Shows pixels by the graphics protocol of kitty, which other terminals have as well.
///
/// Two pictures take turns: each is shown before the one below it is deleted, so that none is ever missing.
package struct KittyRenderer: TerminalRenderer {
    private static let usualCell = PixelSize(10, 20)
    /// The protocol allows no longer ones.
    private static let chunkLength = 4096

    /// The name of the first picture; the other has the next. No program beside should have the same.
    package let identifier: UInt32

    package func bounds(_ rowCount: Int, of terminal: TerminalSize) -> PixelSize {
        let cell = terminal.cell ?? Self.usualCell
        return PixelSize(terminal.columns * cell.width, rowCount * cell.height)
    }

    package func picture(of bitmap: Bitmap, number: Int, on terminal: TerminalSize) -> TerminalPicture {
        let height = (terminal.cell ?? Self.usualCell).height
        let rowCount = (bitmap.size.height + height - 1) / height
        // Without answers (q=2), and without moving the cursor (C=1).
        var keys = "a=T,q=2,C=1,i=\(identifier(number)),f=\(bitmap.hasAlpha ? 32 : 24)"
        keys += ",s=\(bitmap.size.width),v=\(bitmap.size.height)"
        if terminal.cell == nil { keys += ",r=\(rowCount)" }
        let deletion = number == 0 ? "" : command("a=d,d=I,q=2,i=\(identifier(number - 1))")
        return TerminalPicture(
            text: transmission(bitmap.packedBytes.base64EncodedString(), keys) + deletion + "\u{1B}[\(rowCount)B",
            rowCount: rowCount)
    }

    private func identifier(_ number: Int) -> UInt32 { identifier &+ UInt32(number % 2) }

    private func transmission(_ text: String, _ keys: String) -> String {
        var rest = text.utf8[...]
        var commands = ""
        repeat {
            let chunk = rest.prefix(Self.chunkLength)
            rest = rest.dropFirst(Self.chunkLength)
            let more = rest.isEmpty ? "m=0" : "m=1"
            commands += command(commands.isEmpty ? "\(keys),\(more)" : "q=2,\(more)", String(Substring(chunk)))
        } while !rest.isEmpty
        return commands
    }

    private func command(_ keys: String, _ payload: String = "") -> String {
        "\u{1B}_G\(keys)\(payload.isEmpty ? "" : ";")\(payload)\u{1B}\\"
    }
}

extension Bitmap {
    /// The pixels in as many channels as they need.
    fileprivate var packedBytes: Data {
        withPixels { pixels in
            var bytes = Data(capacity: pixels.count)
            for index in pixels.indices where hasAlpha || index % 4 != 3 { bytes.append(pixels[index]) }
            return bytes
        }
    }
}
