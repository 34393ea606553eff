/// Elements in insertion order, addressed by places that stay valid until their element is removed.
///
/// A doubly linked list in an array: all operations but `elements` take constant time.
struct LinkedList<Element: Sendable>: Sendable {
    /// The place of an element.
    typealias Place = Int

    private struct Node: Sendable {
        var element: Element?
        var next: Place
        var previous: Place
    }

    /// The sentinel node, which precedes the first and follows the last element.
    private var nodes = [Node(element: nil, next: 0, previous: 0)]
    private var freePlaces: [Place] = []

    /// The place of the first element; `nil` if the list is empty.
    var firstPlace: Place? { nodes[0].next == 0 ? nil : nodes[0].next }

    /// The first element; `nil` if the list is empty.
    var first: Element? { nodes[nodes[0].next].element }

    /// All elements, in order.
    var elements: [Element] {
        var elements: [Element] = []
        var place = nodes[0].next
        while let element = nodes[place].element {
            elements.append(element)
            place = nodes[place].next
        }
        return elements
    }

    /// The number of places, including those of removed elements.
    var placeCount: Int { nodes.count - 1 }

    /// The element at `place`, which must be in use.
    subscript(place: Place) -> Element { nodes[place].element! }  // a place in use has an element

    /// Returns the result of `body` for the element at `place`, which must be in use. It is changed without a copy.
    mutating func update<Result>(at place: Place, _ body: (inout Element) -> Result) -> Result {
        body(&nodes[place].element!)  // a place in use has an element
    }

    /// Appends `element`.
    mutating func append(_ element: Element) -> Place {
        let place = freePlaces.popLast() ?? nodes.count
        let node = Node(element: element, next: 0, previous: 0)
        if place == nodes.count { nodes.append(node) } else { nodes[place] = node }
        linkAtEnd(place)
        return place
    }

    /// Moves the element at `place` behind all others. Its place remains valid.
    mutating func moveToEnd(_ place: Place) {
        unlink(place)
        linkAtEnd(place)
    }

    /// Removes and returns the element at `place`.
    mutating func remove(at place: Place) -> Element {
        unlink(place)
        freePlaces.append(place)
        return nodes[place].element.take()!  // a place in use has an element
    }

    private mutating func linkAtEnd(_ place: Place) {
        let last = nodes[0].previous
        nodes[place].next = 0
        nodes[place].previous = last
        nodes[last].next = place
        nodes[0].previous = place
    }

    private mutating func unlink(_ place: Place) {
        let (next, previous) = (nodes[place].next, nodes[place].previous)
        nodes[next].previous = previous
        nodes[previous].next = next
    }
}
