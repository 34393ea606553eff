import CGTK
import DarkroomCore
import DarkroomPlayback
import DarkroomTargets
import FoundationEssentials

// The widget.
extension RemotePicture {
    /// Composes the widget.
    func prepareWidgets() {
        gtk_picture_set_can_shrink(area.opaque, 1)
        gtk_overlay_set_child(widget.opaque, area)
        gtk_widget_set_overflow(widget, GTK_OVERFLOW_HIDDEN)
        darkroom_paintable_set_content_fit(paintable, settings.contentFit.value)
        gtk_picture_set_content_fit(area.opaque, GTK_CONTENT_FIT_FILL)
        if let size = settings.size {
            gtk_widget_set_size_request(area, gint(size.width.rounded()), gint(size.height.rounded()))
        }
    }

    /// Follows the widget on its way onto the screen and off it.
    func connectSignals() {
        // The widget owns this object and the handlers, so they may refer to it.
        connect(widget, "map") { [unowned self] in
            isMapped = true
            updateVisibility()
        }
        connect(widget, "unmap") { [unowned self] in
            isMapped = false
            updateVisibility()
            endFade()
        }
        connect(widget, "notify::scale-factor", .object) { [unowned self] _ in
            scaleChanged(to: Int(gtk_widget_get_scale_factor(widget)))
            return false
        }
        connect(widget, "destroy") { [unowned self] in end() }
    }

    /// Ends everything, when the widget is destroyed.
    private func end() {
        guard !hasEnded else { return }
        isMapped = false
        endFade()
        hasEnded = true
        surface.image = nil
        shownBitmap = nil
        (onEnd, onContextMenu, errorButton) = (nil, nil, nil)
        cancelImageLoad(slot: Self.slot)
    }

    /// Plays the animation only while it can be seen.
    func updateVisibility() {
        surface.isVisible = isMapped && isOnScreen
        if !isOnScreen { endFade() }
        updateTick()
    }

    /// Loads the picture again when the window has moved to a monitor with `newScale` pixels per point.
    func scaleChanged(to newScale: Int) {
        guard newScale != scale else { return }
        scale = newScale
        guard settings.size != nil, url != nil, isLoading || outcome != nil else { return }
        // The current picture stays until the new one has loaded, and also if it cannot be loaded.
        begin(SlotOptions { $0.delaysPlaceholder = true }, retriesFailed: false)
    }

    /// Passes the name to screen readers.
    func updateLabel() {
        guard !hasEnded else { return }
        darkroom_set_accessible_label(area, label ?? url?.lastPathComponent ?? "")
    }

    /// Watches for clicks with the secondary button, and for long touches.
    func addContextGestures() {
        guard !hasEnded, let click = gtk_gesture_click_new(), let touch = gtk_gesture_long_press_new() else { return }
        hasContextGestures = true
        gtk_gesture_single_set_button(click, guint(GDK_BUTTON_SECONDARY))
        gtk_gesture_single_set_touch_only(touch, 1)
        for (gesture, type) in [(click, SignalType.press), (touch, .motion)] {
            gtk_widget_add_controller(widget, gesture)
            connect(gesture.object, "pressed", type) { [unowned self] event in
                onContextMenu?(event.x, event.y)
                return false
            }
        }
    }

    /// Adds the icon of an error.
    func addErrorButton(_ error: ImageError) {
        removeErrorButton()
        let button: Widget =
            settings.retriesOnClick
            ? gtk_button_new_from_icon_name("view-refresh-symbolic")
            : gtk_image_new_from_icon_name("image-missing-symbolic")
        gtk_widget_add_css_class(button, "flat")
        gtk_widget_set_tooltip_text(button, error.message)
        darkroom_set_accessible_label(
            button, settings.retriesOnClick ? "Load again: \(error.message)" : error.message)
        gtk_overlay_add_overlay(widget.opaque, button)
        if settings.retriesOnClick { connect(button, "clicked") { [unowned self] in retry() } }
        errorButton = button
    }

    /// Removes the icon of an error.
    func removeErrorButton() {
        if let button = errorButton.take() { gtk_overlay_remove_overlay(widget.opaque, button) }
    }
}

extension PictureSettings.ContentFit {
    fileprivate var value: GtkContentFit {
        switch self {
        case .contain: GTK_CONTENT_FIT_CONTAIN
        case .scaleDown: GTK_CONTENT_FIT_SCALE_DOWN
        case .cover: GTK_CONTENT_FIT_COVER
        case .fill: GTK_CONTENT_FIT_FILL
        }
    }
}
