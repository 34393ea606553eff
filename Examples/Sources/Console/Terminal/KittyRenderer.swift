package import Darkroom

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Renders pixels with kitty's graphics protocol, which other terminals support as well.
///
/// Two image identifiers alternate: each frame is shown before the previous one is deleted, which avoids flicker.
package struct KittyRenderer: TerminalRenderer {
    private static let usualCell = PixelSize(10, 20)
    /// The maximum length of a chunk in the protocol.
    private static let chunkLength = 4096

    /// The identifier of the first image; the second uses the next one. It should not collide with those of other
    /// programs.
    package let identifier: UInt32

    package func bounds(rowCount: Int, of terminal: TerminalSize) -> PixelSize {
        let cell = terminal.cell ?? Self.usualCell
        return PixelSize(terminal.columns * cell.width, rowCount * cell.height)
    }

    package func render(_ bitmap: Bitmap, number: Int, on terminal: TerminalSize) -> TerminalImage {
        let height = (terminal.cell ?? Self.usualCell).height
        let rowCount = (bitmap.size.height + height - 1) / height
        // q=2 suppresses responses, C=1 keeps the cursor in place.
        var keys = "a=T,q=2,C=1,i=\(identifier(number)),f=\(bitmap.hasAlpha ? 32 : 24)"
        keys += ",s=\(bitmap.size.width),v=\(bitmap.size.height)"
        if terminal.cell == nil { keys += ",r=\(rowCount)" }
        let deletion = number == 0 ? "" : command(keys: "a=d,d=I,q=2,i=\(identifier(number - 1))")
        return TerminalImage(
            text: transmission(of: bitmap.packedBytes.base64EncodedString(), keys: keys) + deletion
                + "\u{1B}[\(rowCount)B",
            rowCount: rowCount)
    }

    private func identifier(_ number: Int) -> UInt32 { identifier &+ UInt32(number % 2) }

    private func transmission(of text: String, keys: String) -> String {
        var rest = text.utf8[...]
        var commands = ""
        repeat {
            let chunk = rest.prefix(Self.chunkLength)
            rest = rest.dropFirst(Self.chunkLength)
            let more = rest.isEmpty ? "m=0" : "m=1"
            commands += command(
                keys: commands.isEmpty ? "\(keys),\(more)" : "q=2,\(more)", payload: String(Substring(chunk)))
        } while !rest.isEmpty
        return commands
    }

    private func command(keys: String, payload: String = "") -> String {
        "\u{1B}_G\(keys)\(payload.isEmpty ? "" : ";")\(payload)\u{1B}\\"
    }
}

extension Bitmap {
    /// The pixels with three or four channels.
    fileprivate var packedBytes: Data {
        withPixels { pixels in
            var bytes = Data(capacity: pixels.count)
            for index in pixels.indices where hasAlpha || index % 4 != 3 { bytes.append(pixels[index]) }
            return bytes
        }
    }
}
