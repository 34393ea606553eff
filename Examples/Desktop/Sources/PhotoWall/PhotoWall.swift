import CGTK
public import DarkroomCaches
public import DarkroomCore
public import DarkroomGTK
public import FoundationEssentials

/// The window of a wall of pictures: a grid of thumbnails, a page for one picture, and the report of a load.
@MainActor
public final class PhotoWall {
    /// The window.
    public let window: Widget

    let grid: WallGrid
    let detail: DetailPage
    let panel = ReportPanel()
    let manager: ImageManager
    let images: MemoryImageCache
    private let stack: Widget
    private let memoryLabel: OpaquePointer
    private let back: Widget
    /// The task that adds what was dropped or chosen last; `nil` if nothing was.
    var adding: Task<Void, Never>?
    /// The dialog that asks for files; `nil` if there is none.
    var chooser: OpaquePointer?
    /// The position of the picture on its page; `nil` while the grid is shown.
    private(set) var position: Int?
    private var isClosed = false
    private weak var inspected: RemotePicture?

    /// Called when the window has been closed.
    public var onClose: (() -> Void)?

    /// Creates the window of an application; `nil` for one of its own.
    ///
    /// - Parameters:
    ///   - images: The image cache of `manager`, whose size is shown.
    ///   - context: The options of all loads.
    ///   - memoryBudget: The budget of `manager`, which then includes the frames of animations.
    public init(
        _ application: UnsafeMutableRawPointer?, manager: ImageManager, images: MemoryImageCache, urls: [URL],
        context: ImageContext = .init(), memoryBudget: MemoryBudget? = nil
    ) {
        (self.manager, self.images) = (manager, images)
        window =
            application.map { gtk_application_window_new($0.assumingMemoryBound(to: GtkApplication.self)) }
            ?? gtk_window_new()
        var settings = PictureSettings {
            $0.context = context
            $0.memoryBudget = memoryBudget
        }
        detail = DetailPage(manager, settings: settings)
        settings.size = (180, 120)
        grid = WallGrid(manager, settings: settings)
        stack = gtk_stack_new()
        memoryLabel = OpaquePointer(gtk_label_new(""))
        back = gtk_button_new_from_icon_name("go-previous-symbolic")
        build()
        connectAll()
        append(urls)
    }

    /// Shows the window.
    public func present() { gtk_window_present(window.cast()) }

    /// Closes the window.
    public func close() { if !isClosed { gtk_window_destroy(window.cast()) } }

    /// Adds pictures at the end of the wall.
    public func append(_ urls: [URL]) {
        grid.append(urls)
        gtk_window_set_title(window.cast(), "\(grid.urls.count) pictures")
    }

    /// Whether the window is dark.
    public var isDark: Bool {
        get { property("gtk-application-prefer-dark-theme", of: gtk_settings_get_default().object) }
        set { setProperty("gtk-application-prefer-dark-theme", of: gtk_settings_get_default().object, to: newValue) }
    }

    /// Shows the picture at `position` on its page.
    public func open(_ position: Int) {
        guard grid.urls.indices.contains(position) else { return }
        self.position = position
        let url = grid.urls[position]
        let thumbnail = grid.cells.visiblePictures[position]?.context ?? PictureSettings().context
        detail.show(url, thumbnail: manager.cachedImage(for: url, context: thumbnail))
        showPage("detail")
        inspect(detail.picture)
    }

    /// Returns to the grid, and scrolls to the picture that was shown.
    public func closeDetail() {
        showPage("grid")
        // Its report stays.
        inspected = nil
        detail.picture.clear()
        if let position = position.take() { grid.scroll(to: position) }
        grid.focus()
    }

    /// Shows the report of `picture`.
    func inspect(_ picture: RemotePicture) {
        inspected = picture
        panel.show(picture)
    }

    /// Removes everything from the caches, and loads what is on screen again.
    public func clearCaches() {
        Task { [manager, weak self] in
            try? await manager.removeAll()
            manager.removeAllFailed()
            self?.grid.cells.reload()
        }
    }

    private func showPage(_ name: String) {
        gtk_stack_set_visible_child_name(stack.opaque, name)
        gtk_widget_set_sensitive(back, name == "detail" ? 1 : 0)
    }

    private func showMemory() {
        let resident = ProcessMemory.residentByteCount >> 20
        gtk_label_set_text(memoryLabel, "\(images.totalCost >> 20) MiB cached, \(resident) MiB in all")
    }
}

// The widgets.
extension PhotoWall {
    private func build() {
        gtk_window_set_default_size(window.cast(), 1180, 760)
        gtk_stack_set_transition_type(stack.opaque, GTK_STACK_TRANSITION_TYPE_CROSSFADE)
        gtk_stack_add_named(stack.opaque, grid.widget, "grid")
        gtk_stack_add_named(stack.opaque, detail.widget, "detail")
        let bar: Widget = gtk_header_bar_new()
        gtk_header_bar_pack_start(bar.opaque, back)
        gtk_header_bar_pack_start(
            bar.opaque, iconButton("document-open-symbolic", "Open files (o)") { [weak self] in self?.chooseFiles() })
        gtk_header_bar_pack_end(
            bar.opaque, iconButton("edit-clear-symbolic", "Clear caches (c)") { [weak self] in self?.clearCaches() })
        gtk_header_bar_pack_end(
            bar.opaque,
            iconButton("weather-clear-night-symbolic", "Dark or light (d)") { [weak self] in self?.isDark.toggle() })
        gtk_header_bar_pack_end(bar.opaque, memoryLabel.widget)
        gtk_widget_set_sensitive(back, 0)
        gtk_window_set_titlebar(window.cast(), bar)
        let row: Widget = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0)
        gtk_box_append(row.cast(), stack)
        gtk_box_append(row.cast(), gtk_separator_new(GTK_ORIENTATION_VERTICAL))
        gtk_box_append(row.cast(), panel.widget)
        gtk_window_set_child(window.cast(), row)
        showMemory()
    }

    private func connectAll() {
        grid.onActivate = { [weak self] in self?.open($0) }
        grid.onHover = { [weak self] in self?.inspect($0) }
        connect(back, "clicked") { [weak self] in self?.closeDetail() }
        detail.picture.onEnd = { [weak self] _ in self.map { $0.inspect($0.detail.picture) } }
        addTimer(milliseconds: 1000) { [weak self] in
            guard let self, !isClosed else { return false }
            showMemory()
            if let inspected { panel.show(inspected) }
            return true
        }
        let keys = gtk_event_controller_key_new()!
        gtk_widget_add_controller(window, keys)
        connect(keys.object, "key-pressed", .key) { [weak self] in self?.handle($0) ?? false }
        connect(window, "destroy") { [weak self] in
            guard let self else { return }
            isClosed = true
            adding?.cancel()
            endChoice(false)
            onClose.take()?()
        }
        acceptDrops()
    }

    private func handle(_ event: SignalArguments) -> Bool {
        switch Int32(bitPattern: event.key) {
        case GDK_KEY_Escape where position != nil: closeDetail()
        case GDK_KEY_Left: step(-1)
        case GDK_KEY_Right: step(1)
        case GDK_KEY_plus, GDK_KEY_equal, GDK_KEY_KP_Add: detail.change(by: 1.25)
        case GDK_KEY_minus, GDK_KEY_KP_Subtract: detail.change(by: 0.8)
        case GDK_KEY_0: detail.setZoom(nil)
        case GDK_KEY_1: detail.setZoom(1)
        case GDK_KEY_c: clearCaches()
        case GDK_KEY_d: isDark.toggle()
        case GDK_KEY_o: chooseFiles()
        case GDK_KEY_q: close()
        default: return false
        }
        return true
    }

    private func step(_ distance: Int) { if let position { open(position + distance) } }
}
