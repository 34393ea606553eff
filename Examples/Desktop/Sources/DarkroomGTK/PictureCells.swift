import CGTK
public import DarkroomCore
public import FoundationEssentials

/// The cells of a `GtkListView` or `GtkGridView` whose items are pictures.
///
/// A cell loads its picture when it is bound and on screen. What is in memory is drawn in the same frame. What scrolling on
/// will show next is prefetched; what has left the screen loads with low priority, and not at all farther away or once its
/// cell is unbound. Keep this object for as long as the view.
@MainActor
public final class PictureCells {
    private struct Cell {
        let picture: RemotePicture
        let item: OpaquePointer
        var isVisible = false

        /// The position, which changes without a signal when items before it are inserted or removed.
        @MainActor var position: Int { Int(gtk_list_item_get_position(item)) }
    }

    /// The factory for the view, which takes a reference of its own: `gtk_grid_view_new(model, g_object_ref(factory))`.
    public let factory: OpaquePointer

    /// The number of positions ahead of the visible ones that are prefetched; `nil`, the default, for as many as are
    /// visible.
    public var prefetchCount: Int?

    /// Called with each new cell, to add controllers to its widget.
    public var onSetup: ((RemotePicture) -> Void)?

    private let manager: ImageManager
    private let settings: PictureSettings
    private let count: () -> Int
    private let url: (Int) -> URL?
    private let prefetch: Prefetch
    private var pictures: [UnsafeMutableRawPointer: RemotePicture] = [:]
    private var bound: [UnsafeMutableRawPointer: Cell] = [:]
    private var viewport: Widget?
    private var clock: (object: UnsafeMutableRawPointer, handler: gulong)?
    private var isForward = true

    /// Whether loads remain to be started before the next frame.
    private(set) var continuesLater = false

    /// The time after which no more loads are started within a frame, but before the next one.
    var timeLimit = Duration.milliseconds(2)

    /// The window in which pictures may be loading.
    private(set) var window = LoadWindow(visible: 0..<0, isForward: true, margin: 0, count: 0)

    /// Creates cells of `count` positions, whose pictures are at the URLs that `url` returns.
    public init(
        _ manager: ImageManager, settings: PictureSettings, count: @escaping () -> Int, url: @escaping (Int) -> URL?
    ) {
        self.manager = manager
        self.settings = settings
        self.count = count
        self.url = url
        prefetch = Prefetch(manager)
        factory = gtk_signal_list_item_factory_new()
        connectFactory()
    }

    isolated deinit { g_object_unref(factory.object) }

    /// The cells on screen, by position.
    public var visiblePictures: [Int: RemotePicture] {
        bound.values.reduce(into: [:]) { if $1.isVisible { $0[$1.position] = $1.picture } }
    }

    /// The positions on screen.
    public var visiblePositions: Range<Int> { window.visible }

    /// The positions whose pictures are loading, for a cell or ahead of it.
    public var loadingPositions: Set<Int> {
        Set(bound.values.lazy.filter(\.picture.isLoading).map(\.position)).union(prefetch.loadingPositions)
    }

    /// The largest number of loads that may be in flight.
    public var loadLimit: Int { window.kept.count }

    /// Loads all pictures on screen again, such as after the caches were cleared.
    public func reload() {
        for (item, cell) in bound {
            bound[item]?.isVisible = false
            cell.picture.clear()
        }
        stopPrefetching()
        update()
    }

    /// Follows the scroll position of `scrolledWindow`, which contains the view. Without it, all bound cells load.
    public func follow(_ scrolledWindow: Widget) {
        viewport = scrolledWindow
        connect(scrolledWindow, "realize", isAfter: true) { [weak self] in self?.followClock() }
        connect(scrolledWindow, "unrealize") { [weak self] in self?.leaveClock() }
        connect(scrolledWindow, "unmap") { [weak self] in self?.leaveScreen() }
        connect(scrolledWindow, "destroy") { [weak self] in self?.viewport = nil }
        let keys = gtk_event_controller_key_new()!
        gtk_widget_add_controller(scrolledWindow, keys)
        connect(keys.object, "key-pressed", .key) { [weak self] in self?.openContextMenu($0) ?? false }
        if gtk_widget_get_realized(scrolledWindow) != 0 { followClock() }
    }
}

// The factory.
extension PictureCells {
    private func connectFactory() {
        // The factory may outlive this object.
        connect(factory.object, "setup", .object) { [weak self] in self?.setUp($0.pointer) ?? false }
        connect(factory.object, "bind", .object) { [weak self] in self?.bind($0.pointer) ?? false }
        connect(factory.object, "unbind", .object) { [weak self] in self?.unbind($0.pointer) ?? false }
        connect(factory.object, "teardown", .object) { [weak self] in self?.tearDown($0.pointer) ?? false }
    }

    private func setUp(_ item: UnsafeMutableRawPointer?) -> Bool {
        guard let item else { return false }
        let picture = RemotePicture(manager, settings: settings)
        gtk_list_item_set_child(OpaquePointer(item), picture.widget)
        pictures[item] = picture
        onSetup?(picture)
        return true
    }

    private func bind(_ item: UnsafeMutableRawPointer?) -> Bool {
        guard let item, let picture = pictures[item] else { return false }
        let cell = Cell(picture: picture, item: OpaquePointer(item))
        bound[item] = cell
        picture.isOnScreen = viewport == nil
        if viewport == nil { picture.load(url(cell.position)) } else { picture.clear() }
        return true
    }

    private func unbind(_ item: UnsafeMutableRawPointer?) -> Bool {
        guard let item else { return false }
        bound.removeValue(forKey: item)?.picture.clear()
        return true
    }

    private func tearDown(_ item: UnsafeMutableRawPointer?) -> Bool {
        guard let item else { return false }
        bound[item] = nil
        pictures[item] = nil
        return true
    }
}

// The keyboard.
extension PictureCells {
    /// Opens the context menu of the focused cell. Its widget is that of the view, so the picture receives no keys.
    private func openContextMenu(_ event: SignalArguments) -> Bool {
        let isShifted = event.modifiers & GDK_SHIFT_MASK.rawValue != 0
        let key = Int32(bitPattern: event.key)
        guard key == GDK_KEY_Menu || key == GDK_KEY_F10 && isShifted,
            let picture = bound.values.first(where: { $0.picture.hasFocusedParent })?.picture,
            let open = picture.onContextMenu
        else { return false }
        open(Double(gtk_widget_get_width(picture.widget)) / 2, Double(gtk_widget_get_height(picture.widget)) / 2)
        return true
    }
}

// Scrolling.
extension PictureCells {
    private func followClock() {
        guard clock == nil, let viewport, let object = gtk_widget_get_frame_clock(viewport)?.object else { return }
        // After the cells have their new places, and before they are drawn.
        clock = (object, connect(object, "layout", isAfter: true) { [weak self] in self?.update() })
    }

    private func leaveClock() {
        guard let clock else { return }
        g_signal_handler_disconnect(clock.object, clock.handler)
        self.clock = nil
    }

    private func leaveScreen() {
        for (item, cell) in bound {
            bound[item]?.isVisible = false
            cell.picture.isOnScreen = false
            cell.picture.setPriority(.low)
        }
        stopPrefetching()
    }

    private func stopPrefetching() {
        window = LoadWindow(visible: window.visible, isForward: isForward, margin: 0, count: count())
        prefetch.cancelAll(but: 0..<0)
    }

    /// Starts, slows down and cancels loads by the places of the cells.
    private func update() {
        guard let viewport, gtk_widget_get_mapped(viewport) != 0 else { return }
        let deadline = ContinuousClock.now + timeLimit
        let places = places(in: viewport)
        // Not limited in time: a cell that returns before the loads of others have started must count as one that appears.
        for item in places.left { toggleVisibility(of: item) }
        guard let first = places.visible.min(), let last = places.visible.max() else { return stopPrefetching() }
        if first != window.visible.lowerBound { isForward = first > window.visible.lowerBound }
        window = LoadWindow(
            visible: first..<last + 1, isForward: isForward, margin: prefetchCount ?? (last + 1 - first), count: count()
        )
        prefetch.cancelAll(but: window.ahead)
        // Cells far from the screen neither load nor keep pixels.
        for cell in bound.values where cell.picture.url != nil && !window.kept.contains(cell.position) {
            cell.picture.clear()
        }
        for (index, item) in places.appeared.enumerated() {
            // At least one, so that loads begin on a machine that needs all the time for less.
            guard index == 0 || ContinuousClock.now < deadline else { return continueLater(in: viewport) }
            toggleVisibility(of: item)
        }
        let context = settings.context(scale: scale)
        let hasStartedAll = prefetch.start(window.aheadByDistance, until: deadline, context: context, url: url)
        if !hasStartedAll { continueLater(in: viewport) }
    }

    /// Updates again before the next frame, because the time for this one is over.
    private func continueLater(in viewport: Widget) {
        guard !continuesLater else { return }
        continuesLater = true
        addTick(to: viewport) { [weak self] _ in
            self?.continuesLater = false
            self?.update()
            return false
        }
    }

    /// Returns the positions that are visible, the cells that have become so, and those that are no longer.
    private func places(
        in viewport: Widget
    ) -> (visible: [Int], appeared: [UnsafeMutableRawPointer], left: [UnsafeMutableRawPointer]) {
        let (width, height) = (Float(gtk_widget_get_width(viewport)), Float(gtk_widget_get_height(viewport)))
        var (visible, appeared, left): ([Int], [UnsafeMutableRawPointer], [UnsafeMutableRawPointer]) = ([], [], [])
        for (item, cell) in bound {
            let isVisible = cell.picture.isVisible(in: viewport, width: width, height: height)
            if isVisible { visible.append(cell.position) }
            if isVisible && !cell.isVisible { appeared.append(item) }
            if !isVisible && cell.isVisible { left.append(item) }
        }
        return (visible, appeared, left)
    }

    private func toggleVisibility(of item: UnsafeMutableRawPointer) {
        bound[item]?.isVisible.toggle()
        guard let cell = bound[item] else { return }
        let picture = cell.picture
        picture.isOnScreen = cell.isVisible
        guard cell.isVisible else { return picture.setPriority(.low) }
        if picture.isLoading {
            picture.setPriority(settings.context.priority)
        } else if picture.url == nil {
            picture.load(url(cell.position))
        }
    }

    private var scale: Int { viewport.map { Int(gtk_widget_get_scale_factor($0)) } ?? 1 }
}

extension RemotePicture {
    /// Whether the cell that contains the widget has the focus.
    fileprivate var hasFocusedParent: Bool {
        gtk_widget_get_parent(widget).map { gtk_widget_has_focus($0) != 0 } ?? false
    }

    /// Returns whether a part of the widget is within `viewport`. A view unmaps cells that it has no place for.
    fileprivate func isVisible(in viewport: Widget, width: Float, height: Float) -> Bool {
        var place = graphene_rect_t()
        return gtk_widget_get_mapped(widget) != 0 && gtk_widget_compute_bounds(widget, viewport, &place) != 0
            && place.origin.y < height && place.origin.y + place.size.height > 0
            && place.origin.x < width && place.origin.x + place.size.width > 0
    }
}
