// SPDX-License-Identifier: Apache-2.0

/// First in, first out.
struct JobQueue<Element> {
    private var elements: [Element?] = []
    private var head = 0

    mutating func append(_ element: Element) {
        elements.append(element)
    }

    /// - Complexity: O(1), amortized.
    mutating func popFirst() -> Element? {
        guard head < elements.count else { return nil }
        let element = elements[head].take()
        head += 1
        if head == elements.count {
            // A long queue gives its memory back; a short one is used again and again.
            elements.removeAll(keepingCapacity: head <= 16)
            head = 0
        } else if head >= 1024, head * 2 >= elements.count {
            elements.removeFirst(head)
            head = 0
        }
        return element
    }
}
