import ArgumentParser
import Console
import Darkroom

/// `darkroom formats`: lists the formats that can be read and written.
struct FormatsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "formats", abstract: "Lists the formats that can be read and written.",
        discussion: .help(examples: "darkroom formats", "darkroom formats --json"))

    @Flag(help: "Print one JSON object per line.")
    var json = false

    func run() {
        let coders = CoderRegistry([PNGCoder(), JPEGCoder(), WebPCoder(), GIFCoder()])
        for format in coders.coders.flatMap(\.formats) {
            let writes = coders.encoder(for: format) != nil
            if json {
                JSONLine([
                    "format": format.description, "mimeType": format.mimeType, "identifier": format.identifier,
                    "reads": true, "writes": writes,
                ]).print()
            } else {
                let ability = writes ? "reads, writes" : "reads"
                FileDescriptor.standardOutput.print(
                    "\(format.description.padded(to: 6))\(format.mimeType.padded(to: 12))\(ability)")
            }
        }
    }
}
