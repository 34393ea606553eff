import CGTK
import DarkroomGTK
import FoundationEssentials

// Opening files, and dropping files and URLs.
extension PhotoWall {
    /// Adds the pictures at `urls` at the end of the wall, those in folders one by one, and shows them: one on its page,
    /// several in the grid.
    func add(_ urls: [URL]) {
        guard !urls.isEmpty else { return }
        adding = Task { [weak self, previous = adding] in
            await previous?.value
            let pictures = await PictureSources.expanded(urls)
            if !Task.isCancelled { self?.showNew(pictures) }
        }
    }

    private func showNew(_ pictures: [URL]) {
        guard !pictures.isEmpty else { return }
        let first = grid.urls.count
        append(pictures)
        if pictures.count == 1 { return open(first) }
        closeDetail()
        grid.scroll(to: first)
    }

    /// Lets files and URLs be dropped on the window.
    func acceptDrops() {
        let target = gtk_drop_target_new(.invalid, GDK_ACTION_COPY)!
        var types = DroppedPictures.types
        gtk_drop_target_set_gtypes(target, &types, gsize(types.count))
        gtk_widget_add_controller(window, target)
        connect(target.object, "drop", .drop) { [weak self] event in
            guard let self, let value = event.pointer?.assumingMemoryBound(to: GValue.self) else { return false }
            let urls = DroppedPictures.urls(in: value)
            add(urls)
            return !urls.isEmpty
        }
    }

    /// Asks for files to add, unless it is asking.
    func chooseFiles() {
        guard chooser == nil else { return }
        let chooser = gtk_file_chooser_native_new(
            "Open pictures", window.cast(), GTK_FILE_CHOOSER_ACTION_OPEN, "Open", "Cancel")!
        gtk_native_dialog_set_modal(UnsafeMutablePointer(chooser), 1)
        gtk_file_chooser_set_select_multiple(chooser, 1)
        addFilter("Pictures", to: chooser) { gtk_file_filter_add_mime_type($0, "image/*") }
        addFilter("All files", to: chooser) { gtk_file_filter_add_pattern($0, "*") }
        connect(chooser.object, "response", .number) { [weak self] event in
            self?.endChoice(Int32(truncatingIfNeeded: event.pressCount) == GTK_RESPONSE_ACCEPT.rawValue)
            return false
        }
        self.chooser = chooser
        gtk_native_dialog_show(UnsafeMutablePointer(chooser))
    }

    private func addFilter(_ name: String, to chooser: OpaquePointer, configure: (OpaquePointer) -> Void) {
        let filter = gtk_file_filter_new()!
        defer { g_object_unref(filter.object) }
        gtk_file_filter_set_name(filter, name)
        configure(filter)
        gtk_file_chooser_add_filter(chooser, filter)
    }

    /// Closes the dialog that asks for files, and adds those that were chosen if that `isAccepted`.
    func endChoice(_ isAccepted: Bool) {
        guard let chooser = chooser.take() else { return }
        defer { g_object_unref(chooser.object) }
        guard isAccepted, let files = gtk_file_chooser_get_files(chooser) else {
            return gtk_native_dialog_destroy(UnsafeMutablePointer(chooser))
        }
        defer { g_object_unref(files.object) }
        add(DroppedPictures.urls(of: files))
    }
}
