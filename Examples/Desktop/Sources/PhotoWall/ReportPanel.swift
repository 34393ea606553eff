import CGTK
import DarkroomCore
import DarkroomGTK
import FoundationEssentials

/// The panel with the report of the load of one picture.
@MainActor
final class ReportPanel {
    let widget: Widget
    /// The text of the report.
    let label: OpaquePointer

    /// The number of characters of a line that are shown: laying out a data URL of a megabyte takes more than a second.
    private static let lineLimit = 500

    init() {
        widget = gtk_scrolled_window_new()
        label = OpaquePointer(gtk_label_new("Point at a picture."))
        gtk_label_set_xalign(label, 0)
        gtk_label_set_yalign(label, 0)
        gtk_label_set_wrap(label, 1)
        gtk_label_set_wrap_mode(label, PANGO_WRAP_WORD_CHAR)
        label.widget.setMargin(12)
        gtk_scrolled_window_set_child(widget.opaque, label.widget)
        gtk_scrolled_window_set_policy(widget.opaque, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        gtk_widget_set_size_request(widget, 260, -1)
    }

    /// Shows the report of what `picture` shows.
    func show(_ picture: RemotePicture) {
        let lines = [picture.url?.absoluteString ?? "no URL"] + Self.lines(of: picture)
        gtk_label_set_text(label, lines.map(Self.shortened).joined(separator: "\n"))
    }

    private static func shortened(_ line: String) -> String {
        let start = line.prefix(lineLimit)
        return start.endIndex == line.endIndex ? line : "\(start)…"
    }

    private static func lines(of picture: RemotePicture) -> [String] {
        switch picture.outcome {
        case .success(let result): lines(of: result)
        case .failure(let error): ["\(error.kind.rawValue), \(error.stage.rawValue)", error.message]
        case nil: [picture.isLoading ? "loading" : "not loaded"]
        }
    }

    /// The lines of the report of a load.
    static func lines(of result: LoadResult) -> [String] {
        let (image, report) = (result.image, result.report)
        let frames = image.animation.map { ", \($0.frameCount) frames" } ?? ""
        var lines = ["\(image.info.size) \(image.info.format)\(frames), shown at \(image.size)"]
        lines.append("from \(result.origin.rawValue): \(report.decision)")
        if report.receivedByteCount > 0 { lines.append("\(report.receivedByteCount) bytes received") }
        lines += report.stages.map(\.description) + report.limits
        if let key = result.key { lines.append("key \(key)") }
        return lines
    }
}
