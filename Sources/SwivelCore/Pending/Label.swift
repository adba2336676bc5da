// SPDX-License-Identifier: Apache-2.0
internal import CSwivel

/// The label of a closure that a timer keeps.
///
/// A table finds it by the closure's context, the second of its two words. Only the closure's owner
/// may read the closure itself, because another thread may release it. A program that uses no
/// labels pays nothing.
final class Label: @unchecked Sendable {
    // because `context` is set before another thread sees the object.
    let text: StaticString
    /// The closure's context, while the table has the label.
    private var context: UInt = 0

    private static let table = Lock<[UInt: StaticString]>.ofProcess { _ in [:] }

    private init(_ text: StaticString) { self.text = text }

    /// Runs with the closure's memory still in use: no other closure can have its address.
    deinit { _ = Self.table.withLock { $0.removeValue(forKey: context) } }

    /// The label of the closure with these words, if it has one. If the closure is released during
    /// this call, the result may be another closure's.
    static func text(of work: swivel_work) -> String? {
        table.withLock { $0[work.context] }?.description
    }

    /// `work` under a label, if there is one. Not inlined, so that nothing is made of the closure
    /// but its words.
    @inline(never)
    static func labelled(
        _ text: StaticString?, _ work: @escaping @Sendable () -> Void
    ) -> @Sendable () -> Void {
        guard let text else { return work }
        let label = Label(text)
        var words = Work.words { LoopStatus.run(label.text, work) }
        label.enter(words.context)
        return Work.take(&words).run
    }

    /// `work` under a label, if there is one.
    @inline(never)
    static func labelled(
        _ text: StaticString?, _ work: @escaping @Sendable (Tick) -> Void
    ) -> @Sendable (Tick) -> Void {
        guard let text else { return work }
        let label = Label(text)
        var words = RepeatingWork.words { tick in LoopStatus.run(label.text) { work(tick) } }
        label.enter(words.context)
        return RepeatingWork.take(&words).run
    }

    private func enter(_ context: UInt) {
        self.context = context
        Self.table.withLock { $0[context] = text }
    }
}

extension TimerRequest.Body {
    /// The same under a label, if there is one.
    func labelled(_ label: StaticString?) -> Self {
        with(once: { Label.labelled(label, $0) }, tick: { Label.labelled(label, $0) })
    }
}
