import CGTK
import DarkroomGTK
import FoundationEssentials

// Opening files, and dropping files and URLs.
extension PhotoWall {
    /// Adds pictures at the end of the wall, and shows the first of them.
    func add(_ urls: [URL]) {
        guard !urls.isEmpty else { return }
        let first = grid.urls.count
        append(urls)
        open(first)
    }

    /// Asks for files to add.
    func chooseFiles() {
        let chooser = gtk_file_chooser_native_new(
            "Open pictures", window.cast(), GTK_FILE_CHOOSER_ACTION_OPEN, "Open", "Cancel")!
        gtk_file_chooser_set_select_multiple(chooser, 1)
        connect(chooser.object, "response", .number) { [weak self] event in
            let response = Int32(truncatingIfNeeded: event.pressCount)
            if response == GTK_RESPONSE_ACCEPT.rawValue, let files = gtk_file_chooser_get_files(chooser) {
                let count = g_list_model_get_n_items(files)
                self?.add((0..<count).compactMap { g_list_model_get_item(files, $0).flatMap(Self.url) })
                g_object_unref(files.object)
            }
            g_object_unref(chooser.object)
            return false
        }
        gtk_native_dialog_show(UnsafeMutablePointer(chooser))
    }

    /// Lets files and URLs be dropped on the window.
    func acceptDrops() {
        let target = gtk_drop_target_new(gdk_file_list_get_type(), GDK_ACTION_COPY)!
        // G_TYPE_STRING, whose macro Swift does not import.
        var types = [gdk_file_list_get_type(), GType(16 << 2)]
        gtk_drop_target_set_gtypes(target, &types, gsize(types.count))
        gtk_widget_add_controller(window, target)
        connect(target.object, "drop", .drop) { [weak self] event in
            guard let self, let value = event.pointer?.assumingMemoryBound(to: GValue.self) else { return false }
            let urls = Self.urls(in: value)
            add(urls)
            return !urls.isEmpty
        }
    }

    private static func urls(in value: UnsafeMutablePointer<GValue>) -> [URL] {
        if g_type_check_value_holds(value, gdk_file_list_get_type()) != 0 {
            let files = gdk_file_list_get_files(OpaquePointer(g_value_get_boxed(value)))
            defer { g_slist_free(files) }
            return sequence(first: files, next: { $0?.pointee.next }).prefix { $0 != nil }
                .compactMap { $0?.pointee.data }
                .compactMap { url($0, isOwned: false) }
        }
        guard let text = g_value_get_string(value).map({ String(cString: $0) }) else { return [] }
        return text.split(whereSeparator: \.isNewline).compactMap { URL(string: String($0)) }
            .filter { $0.scheme != nil }
    }

    private static func url(_ file: UnsafeMutableRawPointer) -> URL? { url(file, isOwned: true) }

    private static func url(_ file: UnsafeMutableRawPointer, isOwned: Bool) -> URL? {
        defer { if isOwned { g_object_unref(file) } }
        guard let uri = g_file_get_uri(OpaquePointer(file)) else { return nil }
        defer { g_free(uri) }
        return URL(string: String(cString: uri))
    }
}
