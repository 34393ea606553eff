import CGTK
import DarkroomGTK
import FoundationEssentials

/// The pictures in the value of a drop, and the files chosen in a dialog.
@MainActor
enum DroppedPictures {
    /// The types of values that may be dropped. The first one that the source offers is used.
    static let types = [gdk_file_list_get_type(), GType.string]

    /// Returns the URLs in a value of one of the ``types``; none if it holds something else.
    static func urls(in value: UnsafePointer<GValue>) -> [URL] {
        if g_type_check_value_holds(value, gdk_file_list_get_type()) != 0 {
            return g_value_get_boxed(value).map { urls(inFileList: OpaquePointer($0)) } ?? []
        }
        guard g_type_check_value_holds(value, .string) != 0, let text = g_value_get_string(value) else { return [] }
        let bytes = UnsafeRawBufferPointer(start: text, count: strlen(text))
        return PictureSources.urls(inText: bytes)
    }

    /// Returns the URLs of a `GListModel` of files.
    static func urls(of files: OpaquePointer) -> [URL] {
        (0..<min(g_list_model_get_n_items(files), guint(PictureSources.countLimit))).compactMap { position in
            guard let file = g_list_model_get_item(files, position) else { return nil }
            defer { g_object_unref(file) }
            return url(of: file)
        }
    }

    private static func urls(inFileList list: OpaquePointer) -> [URL] {
        let first = gdk_file_list_get_files(list)
        defer { g_slist_free(first) }
        return sequence(first: first) { $0?.pointee.next }.lazy.prefix { $0 != nil }
            .prefix(PictureSources.countLimit)
            .compactMap { $0?.pointee.data.flatMap(url) }
    }

    /// Returns the URL of a `GFile`, or that of the path at which the system shows it; `nil` if nothing can load it.
    private static func url(of file: UnsafeMutableRawPointer) -> URL? {
        let uri = g_file_get_uri(OpaquePointer(file))
        defer { g_free(uri) }
        if let url = uri.flatMap({ PictureSources.supported(String(cString: $0)) }) { return url }
        let path = g_file_get_path(OpaquePointer(file))
        defer { g_free(path) }
        return path.map { URL(filePath: String(cString: $0)) }
    }
}
