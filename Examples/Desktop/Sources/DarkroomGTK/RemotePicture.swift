import CGTK
public import DarkroomCore
import DarkroomPlayback
public import DarkroomTargets
public import FoundationEssentials

/// A widget that shows the picture at a URL: a placeholder and the progress while it loads, the picture or its animation
/// when it has loaded, and an icon to try again if it could not be loaded.
///
/// The ``widget`` keeps this object alive. When it is destroyed, the load ends.
@MainActor
public final class RemotePicture: @MainActor ImageTarget {
    /// The objects that exist.
    public nonisolated static let existing = ObjectCount()

    /// The loads of the picture.
    public let imageSlots: ImageSlots

    /// The widget to add to a container, which then owns it.
    public let widget: Widget

    /// How pictures are loaded and shown.
    public let settings: PictureSettings

    /// The URL on show; `nil` for none.
    public private(set) var url: URL?

    /// The outcome of the load; `nil` while there is none.
    public private(set) var outcome: Result<LoadResult, ImageError>?

    /// The pixels on show; `nil` for none.
    public internal(set) var shownBitmap: Bitmap?

    /// Called when a load has ended.
    public var onEnd: ((Result<LoadResult, ImageError>) -> Void)?

    /// Called with the position for a context menu: of a click with the secondary button, or of a long touch.
    ///
    /// In a list, the menu key and Shift+F10 open that of the selected cell, in its centre.
    public var onContextMenu: ((_ x: Double, _ y: Double) -> Void)? {
        didSet { if !hasContextGestures { addContextGestures() } }
    }

    /// The name for screen readers; `nil` for the name of the file.
    public var label: String? {
        didSet { updateLabel() }
    }

    /// Whether the widget is in the visible part of a list, which ``PictureCells`` determines. Animations play only there.
    public var isOnScreen = true {
        didSet { if isOnScreen != oldValue { updateVisibility() } }
    }

    /// The name of the only slot.
    static let slot = "picture"

    /// The animation on show.
    let surface: AnimationSurface
    /// The widget that draws the pixels.
    let paintable: OpaquePointer
    /// The widget that shows the paintable.
    let area: Widget
    /// The icon of an error; `nil` if there is none.
    var errorButton: Widget?
    private var placeholder: Image?
    /// The image of the URL that has loaded last, which stays when that of another scale cannot be loaded.
    private var loadedImage: Image?
    /// The number of pixels per point.
    var scale: Int
    /// Whether the widget has been destroyed.
    var hasEnded = false
    /// Whether the widget is mapped.
    var isMapped = false
    /// Whether the widget watches for gestures that open a context menu.
    var hasContextGestures = false
    private var tick: guint = 0
    private var lastTime: Int64?
    private var fade: Fade?

    /// A fade in progress.
    private struct Fade {
        var start: Int64?
        var onEnd: CheckedContinuation<Void, Never>?
    }

    /// Creates an empty widget, whose pictures `manager` loads.
    public init(_ manager: ImageManager, settings: PictureSettings = .init()) {
        imageSlots = ImageSlots(manager)
        self.settings = settings
        surface = AnimationSurface(memoryBudget: settings.memoryBudget)
        paintable = darkroom_paintable_new()
        area = gtk_picture_new_for_paintable(paintable)
        g_object_unref(paintable.object)
        widget = gtk_overlay_new()
        scale = Int(gtk_widget_get_scale_factor(widget))
        Self.existing.add()
        imageSlots.transition = settings.fadeDuration > .zero ? FrameClockFade(duration: settings.fadeDuration) : nil
        imageSlots.indicator = PictureIndicator()
        surface.isVisible = false
        surface.playsAutomatically = settings.playsAnimations
        prepareWidgets()
        connectSignals()
        // The widget owns the picture: GTK releases it with the widget.
        g_object_set_data_full(
            widget.cast(), "darkroom-picture", Unmanaged.passRetained(self).toOpaque(),
            { Unmanaged<RemotePicture>.fromOpaque($0!).release() })
    }

    deinit { Self.existing.remove() }

    /// Loads the picture at `url` in place of the current one; `nil` shows only the placeholder.
    ///
    /// - Parameter placeholder: What to show in place of the placeholder of the settings, such as a thumbnail.
    public func load(_ url: URL?, placeholder: Image? = nil) {
        (self.url, self.placeholder, loadedImage) = (url, placeholder, nil)
        begin(SlotOptions(), retriesFailed: false)
    }

    /// Loads the picture again that could not be loaded.
    public func retry() { begin(SlotOptions(), retriesFailed: true) }

    /// Cancels the load, and shows the placeholder.
    public func clear() {
        guard !hasEnded else { return }
        cancelImageLoad(slot: Self.slot)
        (url, outcome, loadedImage) = (nil, nil, nil)
        endFade()
        removeErrorButton()
        show(nil as Image?, fades: false)
    }

    /// Shows what a load has delivered.
    public func show(_ content: SlotContent, in slot: String) {
        guard !hasEnded else { return }
        if case .placeholder(let image) = content { return show(image, fades: false) }
        show(content.image, fades: fade?.start == nil && fade != nil)
    }

    /// Whether the picture is loading.
    public var isLoading: Bool { imageState(slot: Self.slot).isLoading }

    /// Whether an animation is playing.
    public var isPlaying: Bool { surface.isPlaying }

    /// Changes the priority of the load in progress, if there is one.
    public func setPriority(_ priority: LoadPriority) { setImageLoadPriority(priority, slot: Self.slot) }

    /// The options with which pictures are loaded now.
    public var context: ImageContext { settings.context(scale: scale) }

    /// Loads the URL again.
    func begin(_ options: SlotOptions, retriesFailed: Bool) {
        guard !hasEnded else { return }
        endFade()
        removeErrorButton()
        outcome = nil
        if !surface.playsWhileLoading { surface.playsWhileLoading = true }
        updateLabel()
        var context = context
        if retriesFailed { context.retriesFailed = true }
        if !isOnScreen { context.priority = .low }
        setImage(
            url, placeholder: loadedImage ?? placeholder ?? settings.placeholder, context: context, options: options,
            slot: Self.slot
        ) { [weak self] outcome in self?.loadEnded(outcome) }
    }

    private func loadEnded(_ outcome: Result<LoadResult, ImageError>) {
        guard !hasEnded else { return }
        switch outcome {
        case .success(let result): loadedImage = result.image
        case .failure(let error):
            // Another load has taken its place, or the list no longer needs it.
            guard error.kind != .cancelled, url != nil else { return }
            // The animation of a preview would wait for more frames, and follow the frame clock meanwhile.
            if surface.image?.metadata.isPreview == true { surface.playsWhileLoading = false }
            if loadedImage == nil, let picture = settings.errorPicture { show(picture, fades: false) }
            addErrorButton(error)
        }
        self.outcome = outcome
        onEnd?(outcome)
    }
}

// Drawing.
extension RemotePicture {
    /// Shows an image; `nil` for none.
    func show(_ image: Image?, fades: Bool) {
        surface.image = image
        draw(image?.bitmap, fades: fades)
        updateTick()
    }

    private func draw(_ bitmap: Bitmap?, fades: Bool) {
        shownBitmap = bitmap
        let texture = bitmap?.makeTexture()
        darkroom_paintable_set_texture(paintable, texture, fades ? 1 : 0)
        if let texture { g_object_unref(texture.object) }
    }

    /// Shows `fraction` in the bar; `nil` hides it.
    func showProgress(_ fraction: Double?) {
        guard !hasEnded, settings.showsProgress else { return }
        darkroom_paintable_set_progress(paintable, fraction ?? -1)
    }

    /// Tells screen readers whether the picture is loading.
    func setBusy(_ isBusy: Bool) { if !hasEnded { darkroom_set_accessible_busy(area, isBusy ? 1 : 0) } }

    /// Makes the next picture fade in.
    func prepareFade() { if !hasEnded, isMapped, isOnScreen { fade = Fade() } }

    /// Returns when the fade is complete.
    func waitForFade() async {
        guard fade != nil else { return }
        updateTick()
        await withCheckedContinuation { fade?.onEnd = $0 }
    }

    /// Completes a fade at once.
    func endFade() {
        guard let ended = fade.take() else { return }
        if !hasEnded { darkroom_paintable_set_fade(paintable, 1) }
        ended.onEnd?.resume()
    }

    private var needsTick: Bool { isMapped && (fade != nil || surface.isPlaying) }

    /// Follows the frame clock while there is something to animate.
    func updateTick() {
        guard needsTick, tick == 0, !hasEnded else { return }
        lastTime = nil
        tick = addTick(to: widget) { [unowned self] time in
            advance(to: time)
            if !needsTick { tick = 0 }
            return needsTick
        }
    }

    private func advance(to time: Int64) {
        let elapsed = Duration.microseconds(time - (lastTime ?? time))
        lastTime = time
        if surface.isPlaying, let frame = surface.tick(elapsed) { draw(frame.frame.bitmap, fades: false) }
        guard fade != nil else { return }
        let start = fade?.start ?? time
        fade?.start = start
        let fraction = Duration.microseconds(time - start) / settings.fadeDuration
        if fraction < 1 { darkroom_paintable_set_fade(paintable, fraction) } else { endFade() }
    }
}
