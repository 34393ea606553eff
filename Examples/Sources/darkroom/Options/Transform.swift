import ArgumentParser
import Darkroom

/// A transformer as the command line writes it, such as `crop:0,0,50,50`.
struct Transform: ExpressibleByArgument {
    let transformer: any ImageTransformer

    init?(argument: String) {
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 2 else { return nil }
        let transformer: (any ImageTransformer)? =
            switch (parts[0], parts.count) {
            case ("flip", 2): Self.flip(parts[1])
            case ("crop", 2): Self.crop(parts[1])
            case ("resize", 2...3): Self.resize(parts[1], parts.count == 3 ? parts[2] : "fill")
            default: nil
            }
        guard let transformer else { return nil }
        self.transformer = transformer
    }

    private static func flip(_ way: String) -> Flipping? {
        switch way {
        case "h": .flip(horizontal: true)
        case "v": .flip(vertical: true)
        default: nil
        }
    }

    private static func crop(_ rectangle: String) -> Cropping? {
        let numbers = rectangle.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
        guard numbers.count == 4, numbers.allSatisfy(\.isFinite) else { return nil }
        return .crop(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }

    private static func resize(_ size: String, _ mode: String) -> Resizing? {
        let mode = Resizing.Mode.allCases.first { "\($0)" == mode }
        guard let size = Extent(argument: size), let mode else { return nil }
        return .resize(size.width, size.height, mode)
    }
}
