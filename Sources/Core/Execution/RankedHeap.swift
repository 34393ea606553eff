/// An indexed heap: keys ordered by rank, the smallest first. Each change takes logarithmic time.
struct RankedHeap<Key: Hashable, Rank: Comparable> {
    /// A key and its rank.
    typealias Entry = (key: Key, rank: Rank)

    private var entries: [Entry] = []
    private var indices: [Key: Int] = [:]

    var isEmpty: Bool { entries.isEmpty }
    var count: Int { entries.count }

    /// The key with the smallest rank.
    var first: Entry? { entries.first }

    /// The key with the largest rank, found in linear time.
    var last: Entry? { entries.max { $0.rank < $1.rank } }

    /// The rank of `key`; `nil` if the heap does not contain it. Setting a rank inserts or moves the key, setting `nil`
    /// removes it.
    subscript(key: Key) -> Rank? {
        get { indices[key].map { entries[$0].rank } }
        set {
            switch (indices[key], newValue) {
            case (let index?, let rank?):
                entries[index].rank = rank
                sift(index)
            case (let index?, nil): remove(at: index)
            case (nil, let rank?):
                indices[key] = entries.count
                entries.append((key, rank))
                sift(entries.count - 1)
            case (nil, nil): break
            }
        }
    }

    /// Returns a heap of the same keys, with their ranks changed by `transform`.
    func mapRanks(_ transform: (Rank) -> Rank) -> Self {
        var heap = Self()
        for entry in entries { heap[entry.key] = transform(entry.rank) }
        return heap
    }

    private mutating func remove(at index: Int) {
        swapAt(index, entries.count - 1)
        indices[entries.removeLast().key] = nil
        if index < entries.count { sift(index) }
    }

    /// Sifts the entry at `index` up or down to its place.
    private mutating func sift(_ index: Int) {
        var index = index
        while index > 0, entries[index].rank < entries[(index - 1) / 2].rank {
            swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
        while let child = smallerChild(of: index), entries[child].rank < entries[index].rank {
            swapAt(index, child)
            index = child
        }
    }

    private func smallerChild(of index: Int) -> Int? {
        let left = 2 * index + 1
        guard left < entries.count else { return nil }
        return left + 1 < entries.count && entries[left + 1].rank < entries[left].rank ? left + 1 : left
    }

    private mutating func swapAt(_ first: Int, _ second: Int) {
        guard first != second else { return }
        entries.swapAt(first, second)
        indices[entries[first].key] = first
        indices[entries[second].key] = second
    }
}
