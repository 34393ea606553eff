import DarkroomCore
import DarkroomGIF
import DarkroomJPEG
import DarkroomPNG
import DarkroomTestKit
import DarkroomWebP
import FoundationEssentials

/// `torture [MEBIBYTES [PART OF A NAME]]` runs the coders on the worst-case files of the test kit, by default of 64 MiB
/// each, and prints their CPU times. The status is 1 if one of them takes more than 2 s in total.
///
/// The work on each file is limited to a second by its own clock, so code that checks the clock too rarely is detected.
@main
struct Torture {
    private static let maximumSeconds = 2.0

    static func main() {
        let arguments = CommandLine.arguments
        let byteCount = (arguments.count > 1 ? Int(arguments[1]) ?? 64 : 64) << 20
        let part = arguments.count > 2 ? arguments[2] : ""
        let coders: [(ImageFormat, any ImageCoder)] = [
            (.jpeg, JPEGCoder()), (.png, PNGCoder()), (.gif, GIFCoder()), (.webp, WebPCoder()),
        ]
        print(row("case", numbers: ["bytes", "info s", "decode s", "fed s"], outcome: "outcome"))
        var slowCount = 0
        for (format, coder) in coders {
            for worst in WorstCase.all(of: format) where part.isEmpty || worst.name.contains(part) {
                let trial = TortureTrial(of: coder, data: worst.data(byteCount: byteCount))
                let isSlow = trial.parts.contains { $0.seconds > maximumSeconds } || trial.loadSeconds > maximumSeconds
                if isSlow { slowCount += 1 }
                let numbers = trial.parts.map { twoDecimals($0.seconds) }
                print(
                    row(
                        worst.name, numbers: ["\(trial.byteCount)"] + numbers,
                        outcome: (isSlow ? "TOO SLOW: " : "") + trial.outcome))
            }
        }
        if slowCount > 0 { fatal("\(slowCount) cases took more than \(maximumSeconds) s") }
    }

    private static func row(_ name: String, numbers: [String], outcome: String) -> String {
        let columns = [padded(name, to: 52)] + numbers.map { String(repeating: " ", count: max(10 - $0.count, 1)) + $0 }
        return columns.joined() + "  " + outcome
    }

    private static func padded(_ text: String, to count: Int) -> String {
        text + String(repeating: " ", count: max(count - text.count, 1))
    }

    private static func twoDecimals(_ number: Double) -> String {
        let hundredths = Int((number * 100).rounded())
        return "\(hundredths / 100)." + (hundredths % 100 < 10 ? "0" : "") + "\(hundredths % 100)"
    }
}
