import DarkroomColor
import DarkroomCore
import DarkroomGIF
import DarkroomJPEG
import DarkroomPNG
@testable import DarkroomTestKit
import DarkroomWebP

extension FuzzTarget {
    /// The coders of the library, with the colours of profiles converted.
    static let registry: CoderRegistry = {
        var registry = CoderRegistry([PNGCoder(), JPEGCoder(), GIFCoder(), WebPCoder()])
        registry.colorConverter = LittleCMSConverter()
        return registry
    }()

    /// Files of each format: headers, stills, thumbnails, frames in any order, and previews, whose slices the fuzzer cuts.
    /// Then files that end early.
    static let coders: [FuzzTarget] = [("png", 0x89), ("jpeg", 0xFF), ("gif", 0x47), ("webp", 0x52)].flatMap {
        name, first -> [FuzzTarget] in
        [
            FuzzTarget(name) { input in
                guard input.bytes.first == UInt8(first) else { return }
                check(input) { CoderTrial(registry).run($0, chunk: $1) }
            },
            FuzzTarget("\(name)-growing") { input in
                guard input.bytes.first == UInt8(first) else { return }
                check(input) { GrowingFileTrial(registry).run($0, chunk: $1) }
            },
        ]
    }

    private static func check(_ input: FuzzedBytes, trial: ([UInt8], () -> Int) -> CoderTrial.Outcome) {
        var (bytes, choices) = (input.bytes, input.choices)
        // Otherwise hardly a mutation would get past the checksums of a PNG.
        if bytes.first == 0x89, choices.next(below: 4) > 0 { PNGChecksums.mend(&bytes) }
        let largest = min(bytes.count / 3 + 2, 65_536)
        switch trial(bytes, { choices.next(below: largest) + 1 }) {
        // A load shows the decoded image, even if the previews of a file with an unusual order of parts ended early.
        case .accepted, .rejected, .uneven: break
        case .failed(let sentence): demand(false, sentence)
        }
    }
}
