import ArgumentParser
import Console
import Darkroom

/// A quality: `80`, or `auto` for the smallest file that looks good enough, or `auto:75` for the score that is enough.
enum QualityArgument: ExpressibleByArgument, Equatable {
    case percent(Double)
    case auto(VisualQuality)

    init?(argument: String) {
        let parts = argument.fields(separatedBy: UInt8(ascii: ":"))
        let numbers = parts.map { Double($0) }
        switch parts.count {
        case 1 where argument == "auto": self = .auto(.high)
        case 2 where parts[0] == "auto":
            guard let score = numbers[1] else { return nil }
            self = .auto(.score(score))
        case 1:
            guard let percent = numbers[0] else { return nil }
            self = .percent(percent)
        default: return nil
        }
    }

    /// Whether the number is one of those that exist.
    var isValid: Bool {
        switch self {
        case .percent(let number): (0...100).contains(number)
        case .auto(let target): (0...100).contains(target.score)
        }
    }

    /// Sets the quality of encoders.
    func apply(to context: inout ImageContext) {
        switch self {
        case .percent(let number): context.quality = number / 100
        case .auto(let target): context.visualTarget = target
        }
    }
}
