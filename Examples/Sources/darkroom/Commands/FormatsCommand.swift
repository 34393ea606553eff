import ArgumentParser
import Console
import Darkroom
import InstalledCoders

/// `darkroom formats`: lists the formats that can be read and written.
struct FormatsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "formats", abstract: "Lists the formats that can be read and written.",
        discussion: .help(examples: "darkroom formats", "darkroom formats --json"))

    @Flag(help: "Print one JSON object per line.")
    var json = false

    func run() {
        let coders = InstalledCoders.registry
        let formats = coders.coders.flatMap(\.formats)
        let nameWidth = (formats.map(\.description.count).max() ?? 0) + 1
        let typeWidth = (formats.map(\.mimeType.count).max() ?? 0) + 1
        for format in formats {
            let writes = coders.encoder(for: format) != nil
            if json {
                JSONLine([
                    "format": format.description, "mimeType": format.mimeType, "identifier": format.identifier,
                    "reads": true, "writes": writes,
                ]).print()
            } else {
                let reads = format == .heic || format == .heif ? "reads with --heic" : "reads"
                FileDescriptor.standardOutput.print(
                    format.description.padded(to: nameWidth) + format.mimeType.padded(to: typeWidth)
                        + (writes ? "reads, writes" : reads))
            }
        }
    }
}
