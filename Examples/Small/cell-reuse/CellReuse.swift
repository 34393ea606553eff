import DarkroomCore
import DarkroomTargets
import Foundation
import SmallExample

/// Scrolls a list of nine rows through three cells: a reused cell never shows its previous row.
@main
enum CellReuse: SmallExample {
    static func run() async throws {
        let manager = try ImageManager { $0.install(RowLoader()) }
        let cells = (0..<3).map { _ in Cell(manager) }
        let (outcomes, continuation) = AsyncStream.makeStream(of: String.self)

        for row in 0..<9 {
            cells[row % 3].setImage(URL(string: "row:\(row)")) { result in
                switch result {
                case .success: continuation.yield("row \(row) was loaded")
                case .failure(let error): continuation.yield("row \(row) was \(error.kind.rawValue)")
                }
            }
        }
        for await line in outcomes.prefix(9) { print(line) }
        for (number, cell) in cells.enumerated() {
            print("cell \(number) showed \(cell.shown.joined(separator: ", "))")
        }
    }
}

/// The view of a row. This one only records what it should show.
@MainActor
final class Cell: @MainActor ImageTarget {
    let imageSlots: ImageSlots
    private(set) var shown: [String] = []

    init(_ manager: ImageManager) { imageSlots = ImageSlots(manager) }

    func show(_ content: SlotContent, in slot: String) {
        let row = content.image?.bitmap.color(x: 0, y: 0).map { "row \($0.red)" }
        shown.append(row ?? "nothing")
    }
}

/// Returns an image of one pixel whose red is the number of the row.
struct RowLoader: ImageLoader {
    func canLoad(_ url: URL) -> Bool { url.scheme == "row" }

    func load(_ request: LoadRequest) async throws -> LoadResponse {
        guard let row = UInt8(request.url.path) else { throw ImageError(.invalidURL, .load, "the row does not exist") }
        let bitmap = try Bitmap(PixelSize(1, 1), hasAlpha: false) { $0[0] = row }
        return LoadResponse(.image(Image(info: ImageInfo(format: .png, storedSize: bitmap.size), bitmap: bitmap)))
    }
}
