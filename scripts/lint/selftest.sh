#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Sees every rule fail on a seeded finding and pass on what only looks like one.
set -u
lint=$(cd "${0%/*}" && pwd)
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
: >"$tree/cases"
: >"$tree/failures"

failed() {
    echo x >>"$tree/failures" # A file, because a pipe runs its functions in a shell of its own.
    printf "selftest: %s\n" "$1"
}

# check RULE bad|good FILE [more] <text: runs the rule on a project with this file, "more" beside the
# files of the case before.
check() {
    echo x >>"$tree/cases"
    [ "${4-}" = more ] || rm -rf "${tree:?}/project"
    mkdir -p "$tree/project/$(dirname "$3")"
    cat >"$tree/project/$3"
    findings=$(cd "$tree/project" && "$lint/rules/$1.sh" 2>&1)
    case $2 in
    bad) [ -z "$findings" ] || return 0 ;;
    good) [ -n "$findings" ] || return 0 ;;
    esac
    failed "$1 is wrong about this $2 file:
$(cat "$tree/project/$3")
$findings"
}

# In this table \n ends a line. \055 is a gap, so that a search for unfinished work does not find this file.
sed 's/\\055//' <<'E2' | while read -r rule kind file text; do printf '%b\n' "$text" | check "$rule" "$kind" "$file"; done
license-line bad Sources/SwivelCore/A.swift import Dispatch
license-line bad CSources/CSwivel/src/a.c \n// SPDX-License-Identifier: Apache-2.0
license-line bad CSources/CSwivel/src/a.c // SPDX-License-Identifier: Apache-2.0 and more
license-line bad scripts/test #!/bin/sh
license-line good Sources/SwivelCore/A.swift // SPDX-License-Identifier: Apache-2.0
license-line good scripts/test #!/bin/sh\n# SPDX-License-Identifier: Apache-2.0
license-line good Package.swift // swift-tools-version: 6.2\n// SPDX-License-Identifier: Apache-2.0
layers bad Sources/SwivelCore/A.swift import Dispatch
layers bad Sources/SwivelCore/A.swift internal import Foundation
layers bad Sources/SwivelCore/A.swift @preconcurrency public import Dispatch
layers bad Sources/SwivelCore/A.swift @_spi(Internals) import SwivelDispatch
layers bad Sources/SwivelCore/A.swift import struct Foundation.Date
layers bad Sources/SwivelCore/A.swift \0040\0040\0040\0040import SwivelFutures
layers bad Sources/SwivelCore/A.swift import CLibUV
layers bad Sources/SwivelDispatch/A.swift import Swivel
layers bad Sources/NewTarget/A.swift import CSwivel
layers good Sources/SwivelCore/A.swift internal import CSwivel.Internal
layers good Sources/SwivelCore/A.swift import Synchronization // not Foundation
layers good Sources/SwivelDispatch/A.swift public import Foundation
layers good Sources/Swivel/A.swift @_exported public import SwivelCore
uv-include bad CSources/CSwivel/src/wheel.c #include <uv.h>
uv-include bad CSources/CSwivel/include/internal/loop.h # include "../CLibUV/shim.h"
uv-include good CSources/CSwivel/src/park/park_portable.c #include <uv.h>
uv-include good CSources/CSwivel/src/wheel.c #include <sys/uv.h.txt>
test-attribute bad Tests/T/WheelTests.swift struct WheelTests {\n    @Test func fires() {}\n\n    func neverRuns() {}\n}
test-attribute bad Tests/T/WheelTests.swift @Suite(.serialized)\nstruct Wheel {\n    @Test\n    func fires() {\n        f()\n    }\n    func neverRuns() async throws {\n    }\n}
test-attribute good Tests/Samples/WheelTests.swift class WheelTests: XCTestCase {\n    func testFires() {}\n}
test-attribute bad Tests/Samples/WheelTests.swift class WheelTests: XCTestCase {\n    func fires() {}\n}
test-attribute bad Tests/T/WheelTests.swift class WheelTests: XCTestCase {\n    func testNeverRuns() {}\n}
test-attribute bad Benchmarks/Tests/T/WheelTests.swift extension WheelTests {\n    struct Inner {\n        func helper() {}\n    }\n    @available(macOS 15, *) func neverRuns(_ seed: Int) {}\n}
layout bad Sources/SwivelCore/A.swift let  x=1
layout bad Sources/SwivelCore/A.swift // SPDX-License-Identifier: Apache-2.0\npublic struct A {}
layout good Sources/SwivelCore/A.swift // SPDX-License-Identifier: Apache-2.0\n\nlet x = 1
layout good CSources/CSwivel/src/a.c int x;
english bad Sources/SwivelCore/A.swift // TO\055DO
english bad Sources/SwivelCore/A.swift // FIX\055ME
english bad Sources/SwivelCore/A.swift // X\055XX
english bad Sources/SwivelCore/A.swift // not imple\055mented
english bad Sources/SwivelCore/A.swift // for n\055ow
english bad Sources/SwivelCore/A.swift // place\055holder
english good Sources/SwivelCore/A.swift let perform = fork + for_now + now // Nothing before now_ns
english bad Sources/SwivelCore/A.swift let x = 1 // What is left.
english bad CSources/CSwivel/src/a.c // It lasts for ever.
english bad Sources/SwivelCore/A.swift fatalError("not imple\055mented")
english good Sources/SwivelCore/A.swift trap("this waits for ever")
english bad docs/A.md Who is slow gets the latest.
english bad docs/A.md It ends. What is left goes back, and more.
english bad docs/A.md It waits; who takes it ends it.
english bad docs/A.md Nothing happens in this moment.
english bad docs/A.md A record lives for ever.
english bad docs/A.md What `x` gets is `y`.
english bad docs/A.md The message `… waits for ever` stops the program.
english good Sources/Swivel/Swivel.docc/Troubleshooting.md The message `… waits for ever` stops the program.
english bad Sources/Swivel/Swivel.docc/Troubleshooting.md It waits for ever.
english good docs/A.md ## What it costs\nWhat does it cost?\n- Returns: What the handler returns.\nIt says who waits, and forever.
because bad Sources/SwivelCore/A.swift final class A: @unchecked Sendable {}
because bad Tests/T/A.swift // because of the lock\n\nnonisolated(unsafe) var a = 1
because good Sources/SwivelCore/A.swift nonisolated(unsafe) var a = 1 // because only main writes
because good Sources/SwivelCore/A.swift /// See `@unchecked Sendable`.\nfinal class A: @unchecked Sendable {\n    // Unchecked because `lock` protects\n    // every field.\n}
atomics bad CSources/CSwivel/src/inbox.c x = atomic_load(&y);
atomics bad CSources/CSwivel/include/internal/queue/wake.h     _Atomic(int) count;
atomics bad CSources/CSwivel/src/turn.c #include <stdatomic.h>
atomics good CSources/CSwivel/src/inbox.c SWIVEL_ATOMIC(int) x; // not atomic_int
atomics good CSources/CSwivel/include/internal/thread/atomics.h #include <stdatomic.h>
blocking bad Sources/SwivelCore/A.swift let gate = DispatchSemaphore(value: 0)
blocking bad Sources/SwivelCore/A.swift Thread.sleep(forTimeInterval: 1)
blocking bad Sources/SwivelCore/A.swift try await Task.sleep(for: .seconds(1))
blocking bad Sources/SwivelCore/A.swift usleep(10)
blocking bad Sources/SwivelCore/A.swift sleep(1)
blocking bad Sources/SwivelCore/A.swift while !done { nanosleep(&pause, nil) }
blocking bad Sources/SwivelCore/A.swift pthread_cond_wait(&condition, &mutex)
blocking bad CSources/CSwivel/src/turn.c poll(&fds, 1, -1);
blocking bad CSources/CSwivel/src/turn.c pthread_cond_timedwait(&c, &m, &t);
blocking good CSources/CSwivel/src/park/park_linux.c pthread_cond_wait(&condition, &mutex)
blocking good Sources/SwivelCore/A.swift public func sleep(until deadline: Instant) async throws // no usleep(1) here
blocking good Sources/SwivelCore/A.swift try await loop.clock.sleep(until: deadline)
blocking good Sources/SwivelCore/A.swift let mayOversleep = asleep(1)
blocking good CSources/CSwivel/src/turn.c loop->poll(loop); uv_poll_start(p, 1, f);
type-check-time good Snippets/A.swift let x = 1
type-check-time good Tests/SwivelOperatorsTests/ATests.swift func f() { let x = 1 + 2; print(x) }
type-check-time bad Tests/Mistakes/A.swift let x = 1 // error: cannot find
type-check-time bad Tests/Mistakes/A.swift let x = 1\nlet y = z // error: cannot find .w. in scope
type-check-time bad Tests/Mistakes/A.swift let x = z
type-check-time good Tests/Mistakes/A.swift let y = z  // error: cannot find 'z' in scope
type-check-time bad Tests/Scripts/A.swift @available(*, noasync) func f() {}; func f() async {}; await f()
type-check-time good Tests/Scripts/A.swift func f() {}; func f() async {}; await f()
suggestions good Tests/Suggestions/A.swift @available(*, deprecated, renamed: "new(_:)") func old(a: Int) {}; func new(_ a: Int) {}\nfunc h() {\n    old(a: 1)\n    // use: new(1)\n}
suggestions bad Tests/Suggestions/A.swift @available(*, deprecated, renamed: "new(_:)") func old(a: Int) {}; func new(_ a: Int) {}\nfunc h() {\n    old(a: 1)\n    // use: new(2)\n}
suggestions bad Tests/Suggestions/A.swift @available(*, deprecated, message: "use new") func old() {}; func new(_ a: Int) {}\nfunc h() {\n    old()\n    // use: new()\n}
suggestions bad Tests/Suggestions/A.swift @available(*, deprecated, message: "use new") func old() {}; func new() {}\nfunc h() {\n    old()\n}
suggestions bad Tests/Suggestions/A.swift func old() {}; func new() {}\nfunc h() {\n    old()\n    // use: new()\n}
preconcurrency bad docs/api/A.txt A: func f(_ body: @escaping @Sendable () -> Void)
preconcurrency bad docs/api/A.txt A: convenience init<T>(_ body: @escaping @Sendable () -> T)
preconcurrency good docs/api/A.txt A: @preconcurrency func f(_ body: @escaping @Sendable () -> Void)\nA: typealias B = @Sendable () -> Void
compatibility bad docs/COMPATIBILITY.md | old | test |\n|---|---|\n| `b` | |
compatibility good docs/COMPATIBILITY.md # Names | without | a table\n| old | test |\n|---|---|
undocumented bad Sources/NewTarget/A.swift /// Waits.\n///\n/// **Thread:** any.\n/// - Complexity: O(1).\npublic func wait() throws {
undocumented bad Sources/NewTarget/A.swift /// A context. **Thread:** any.\npublic protocol A {\n    /// Runs.\n    func run()\n}
undocumented good Sources/NewTarget/A.swift /// A context. **Thread:** any.\npublic protocol A {\n    /// Runs.\n    /// - Complexity: O(1).\n    @discardableResult\n    func run()\n}
undocumented good Sources/NewTarget/A.swift func internal() -> Int {
undocumented bad Sources/NewTarget/A.swift extension A {\n    /// See `B.run()`.\n    public func run() {
undocumented good Sources/SwivelTesting/A.swift extension A {\n    /// See `B.run()`.\n    public func run() {
documented bad Sources/NewTarget/A.swift public struct A {
documented bad Sources/NewTarget/A.swift /// A.\npublic struct A {\n    public let b = 1\n}
documented bad Sources/NewTarget/A.swift /// A.\n\npublic let b = 1
documented bad Sources/NewTarget/A.swift /// A.\npublic enum A {\n    case b\n}
documented bad Sources/NewTarget/A.swift /// A.\npublic protocol A {\n    associatedtype B\n}
documented bad Sources/NewTarget/A.swift /// A.\n/// - Returns: B.\n/// - Parameter c: D.\npublic func f(c: Int) -> Int {
documented bad Sources/NewTarget/A.swift /// A.\n/// - Complexity: O(1).\n///\n/// **Thread:** any.\npublic func f() {
documented bad CSources/CSwivel/include/a.h int swivel_a(void);
documented good CSources/CSwivel/include/a.h /// A.\nint swivel_a(void);
documented good Sources/NewTarget/A.swift struct A {\n    let b = 1\n}
documented good Sources/NewTarget/A.swift public import B
documented good Sources/NewTarget/A.swift /// A.\n///\n/// **Thread:** any.\n/// - Parameters:\n///   - c: D.\n/// - Returns: B.\n@available(\n    *, deprecated, message: "f(x)"\n)\n@discardableResult\npublic func f(c: Int) -> Int {\n    switch c {\n    case 1: 2\n    }
E2

lines() { awk -v lines="$1" 'BEGIN { while (lines--) print "//" }'; }
lines 351 | check file-size bad Sources/Swivel/Long.swift
lines 350 | check file-size good Sources/Swivel/Long.swift
lines 301 | check file-size bad CSources/CSwivel/src/long.c
lines 300 | check file-size good CSources/CSwivel/src/long.c
body() { awk -v lines="$1" 'BEGIN { print "{"; while (lines--) print "    x;"; print "}" }'; }
body 41 | check file-size bad CSources/CSwivel/include/long.h
body 40 | check file-size good CSources/CSwivel/include/long.h
lines 351 | check file-size good Benchmarks/.build/x/Long.swift
lines 1501 | check file-size bad README.md
lines 1500 | check file-size good README.md

check test-attribute good Tests/T/WheelTests.swift <<'E2'
@Suite struct WheelTests {
    let wheel = """
        func text() {}
    """
    @Test("the name", arguments: [
        1, 2,
    ])
    @available(macOS 15, *)
    func fires(
        _ seed: Int
    ) async throws {
        func local() {}
    }
    // func commented() {}
    @Test(.timeLimit(.minutes(1))) func cancels() {}
    private func helper() {}
    static func make() -> Self { Self() }
    struct Model {
        mutating func advance() {}
    }
}
struct Recorder {
    func record() {}
}
func freeHelper() {}
E2

if command -v clang-format >/dev/null 2>&1; then
    echo 'int x (){return 1;}' | check layout bad CSources/CSwivel/src/a.c
fi

sample='<!-- Snippets/A.swift -->\n```swift\nlet a = 1\n```\n'
# shellcheck disable=SC2059
printf "$sample" | check samples bad README.md
echo "let a = 1" | check samples good Snippets/A.swift more
echo "let a = 2" | check samples bad Snippets/A.swift more
printf '```swift\nlet a = 1\n```\n' | check samples bad README.md
printf '```swift\nlet a = 1\n```\n' | check samples bad Sources/A/A.docc/A.md
printf '```swift\nlet a = 1\n```\n' | check samples bad Integrations/README.md
printf '```sh\nls\n```\n' | check samples good README.md
# shellcheck disable=SC2059
printf "$sample" | check samples bad Sources/A/A.docc/A.md
printf '// SPDX-License-Identifier: Apache-2.0\nlet a = 1\n' | check samples good Snippets/A.swift more

echo '# One [page](docs/B.md#the-end-of-it)' | check links bad README.md
echo '# The end' | check links bad docs/B.md more
printf '```\n# The end of it\n```\n' | check links bad docs/B.md more
echo '## The `end` of it' | check links good docs/B.md more
echo 'See [one](../README.md), [two](../../C.md).' | check links bad docs/B.md more
echo 'See [it](https://libuv.org/#x), `[a](b)`.' | check links good docs/B.md
echo 'See <doc:B>.' | check links bad Sources/A/A.docc/A.md
echo '# B' | check links good Sources/A/A.docc/B.md more
echo 'See <doc:B#C>.' | check links bad Sources/A/A.docc/A.md more
echo '![a wheel](wheel)' | check links bad Sources/A/A.docc/A.md
echo '<svg/>' | check links good Sources/A/A.docc/Resources/wheel.svg more

dockerfile='<!-- docs/Dockerfile -->\n```dockerfile\nRUN a\n```\n'
# shellcheck disable=SC2059
printf "$dockerfile" | check samples bad README.md
printf '# SPDX-License-Identifier: Apache-2.0\nFROM b\nRUN a\n' | check samples good docs/Dockerfile more
printf '```dockerfile\nRUN a\n```\n' | check samples bad README.md

taken='.package(url: "https://example.com/swivel.git", from: "0.1.0"'
echo "$taken)" | check address bad README.md
echo 'https://example.com/swivel.git 0.1.0' | check address good docs/repository.txt more
echo "$taken, traits: [\"NIO\"])" | check address good Tests/Manifests/Package.swift more
echo 'See https://example.com/swivel/issues, https://example.org/swivel-kit.' | check address good SECURITY.md more
echo 'https://example.com/swivel.git 0.2.0' | check address bad docs/repository.txt more
echo 'https://example.org/swivel.git 0.1.0' | check address bad docs/repository.txt more
echo 'https://example.com/swivel.git 0.1.0' | check address good docs/repository.txt more
echo '.package(url: "https://example.com/swivel.git", branch: "main")' | check address bad docs/A.md more
echo 'git clone https://example.com/a/swivel.git' | check address bad docs/A.md more

page=Sources/Swivel/Swivel.docc/Troubleshooting.md
while IFS= read -r text; do
    echo '`the loop … has no room left: make another`' | check messages good "$page"
    printf '%b\n' "$text" | check messages good Sources/A/A.swift more
    printf '%b\n' "$text" | check messages good CSources/A/a.c more
    echo 'the loop … has no room' | check messages bad "$page" more
done <<'E2'
check(isOpen, "the loop \\(name(")")) has no room left: make another", file: file)
trap(\n    """\n    the loop \\(name) has no room \\\\\n    left: make another\n    """)
swivel__fatal("the loop '%s' has no room left: make another", name);
Diagnostics.report(a) { x in\n    "has no room left: make another"\n}
let reason = "has no room left: make another"
E2
echo 'trap("two words")' | check messages bad Sources/A/A.swift
echo '/// trap("two words") { log("not a message") }' | check messages good Sources/A/A.swift

# An expression that no compiler checks in no time.
echo 'let x = [1, 2.5].map { $0 * 2 + 1 / 3 }' |
    (export EXPRESSION_MS=1 && check type-check-time bad Snippets/A.swift)

# A deprecated declaration that no sample uses.
echo '@available(*, deprecated, message: "use '"'g'"'") func f() {}' | check suggestions good Sources/ACompat/A.swift
printf 'func f() {}\n' | check suggestions bad Tests/Suggestions/A.swift more

table='| old | new | difference | test |
|---|---|---|---|'
printf '%s\n| a \\| b | c | | `ATests/runs`, `ATests/counts` |\n' "$table" |
    check compatibility bad docs/COMPATIBILITY.md
check compatibility good Tests/T/ATests.swift more <<'E2'
@Suite(.serialized) struct ATests {
    @available(*, deprecated)
    @Test func runs() {}
    @Test(arguments: [1])
    func counts(_ x: Int) {}
    private func helper() {}
}
E2
for name in ATests/helper BTests/runs ATests/run; do
    printf '%s\n| a | c | | `ATests/runs`, `%s` |\n' "$table" "$name" |
        check compatibility bad docs/COMPATIBILITY.md more
done

printf '| word | names |\n| turn | `turn.c`, `Loop.turn(_:)` |\n' | check names bad docs/GLOSSARY.md
echo '/* Loop turn */' | check names good CSources/CSwivel/src/turn/turn.c more
echo '/* Loop */' | check names bad CSources/CSwivel/src/turn/turn.c more
echo 'See `turn.h`, and `park*.c`.' | check names bad docs/ARCHITECTURE.md

documented='/// Runs `work` after a delay.\n///\n/// **Thread:** any.\n/// - Parameter delay: From now.\n/// - Returns: The timer.\n/// - Complexity: O(1).\n'
callable='public func schedule(\n    after delay: Duration = f(1), _ work: () -> Void\n) -> Timer {\n'
printf "$documented$callable" | check undocumented good Sources/NewTarget/A.swift
for line in Thread delay Returns Complexity; do
    printf "$documented$callable" | grep -v "/// .*$line: *\|[*]$line:" | check undocumented bad Sources/NewTarget/A.swift
done

for rule in "$lint"/rules/*.sh; do
    name=${rule##*/}
    for kind in bad good; do
        grep -Eq "(^|check )${name%.sh} $kind" "$0" && continue
        failed "no $kind file for ${name%.sh}"
    done
done

# The runner fails when a rule has a finding, and passes on an empty project.
mkdir "$tree/empty"
(cd "$tree/empty" && "$lint/run") >/dev/null || failed "run fails on an empty project"
mkdir -p "$tree/broken/Sources/SwivelCore"
echo "import Dispatch" >"$tree/broken/Sources/SwivelCore/A.swift"
(cd "$tree/broken" && "$lint/run") >/dev/null && failed "run passes a finding"

if [ -s "$tree/failures" ]; then
    exit 1
fi
echo "lint selftest: $(grep -c x "$tree/cases") cases as expected"
