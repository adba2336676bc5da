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

# each RULE bad|good FILE <text: each line is a file of its own.
each() {
    while IFS= read -r line; do
        printf '%s\n' "$line" | check "$1" "$2" "$3"
    done
}

license='// SPDX-License-Identifier: Apache-2.0'

lines() { awk -v lines="$1" 'BEGIN { while (lines--) print "//" }'; }
lines 351 | check file-size bad Sources/Swivel/Long.swift
lines 351 | check file-size bad CSources/CSwivel/src/long.c
lines 350 | check file-size good Sources/Swivel/Long.swift
lines 351 | check file-size good Benchmarks/.build/x/Long.swift

awk 'BEGIN { for (i = 0; i < 301; i++) print "//" }' | check c-size bad CSources/CSwivel/src/long.c
awk 'BEGIN { for (i = 0; i < 300; i++) print "//" }' | check c-size good CSources/CSwivel/src/long.c
awk 'BEGIN { print "{"; for (i = 0; i < 41; i++) print "    x;"; print "}" }' |
    check c-size bad CSources/CSwivel/include/long.h
awk 'BEGIN { print "{"; for (i = 0; i < 40; i++) print "    x;"; print "}" }' |
    check c-size good CSources/CSwivel/include/long.h

echo "import Dispatch" | check license-line bad Sources/SwivelCore/A.swift
printf '\n%s\n' "$license" | check license-line bad CSources/CSwivel/src/a.c
echo "$license and more" | check license-line bad CSources/CSwivel/src/a.c
printf "%s\n" "#!/bin/sh" | check license-line bad scripts/test
printf '%s\n' "$license" | check license-line good Sources/SwivelCore/A.swift
printf '#!/bin/sh\n# %s\n' "${license#// }" | check license-line good scripts/test
printf '// swift-tools-version: 6.2\n%s\n' "$license" | check license-line good Package.swift

each layers bad Sources/SwivelCore/A.swift <<'E2'
import Dispatch
internal import Foundation
@preconcurrency public import Dispatch
@_spi(Internals) import SwivelDispatch
import struct Foundation.Date
    import SwivelFutures
import CLibUV
E2
echo "import Swivel" | check layers bad Sources/SwivelDispatch/A.swift
echo "import CSwivel" | check layers bad Sources/NewTarget/A.swift
each layers good Sources/SwivelCore/A.swift <<'E2'
internal import CSwivel.Internal
import Synchronization // not Foundation
E2
echo "public import Foundation" | check layers good Sources/SwivelDispatch/A.swift
echo "@_exported public import SwivelCore" | check layers good Sources/Swivel/A.swift

echo '#include <uv.h>' | check uv-include bad CSources/CSwivel/src/wheel.c
echo '# include "../CLibUV/shim.h"' | check uv-include bad CSources/CSwivel/include/internal/loop.h
echo '#include <uv.h>' | check uv-include good CSources/CSwivel/src/park/park_portable.c
echo '#include <sys/uv.h.txt>' | check uv-include good CSources/CSwivel/src/wheel.c

printf 'struct WheelTests {\n    @Test func fires() {}\n\n    func neverRuns() {}\n}\n' |
    check test-attribute bad Tests/T/WheelTests.swift
printf '@Suite(.serialized)\nstruct Wheel {\n    @Test\n    func fires() {\n        f()\n    }\n    func neverRuns() async throws {\n    }\n}\n' |
    check test-attribute bad Tests/T/WheelTests.swift
printf 'extension WheelTests {\n    struct Inner {\n        func helper() {}\n    }\n    @available(macOS 15, *) func neverRuns(_ seed: Int) {}\n}\n' |
    check test-attribute bad Benchmarks/Tests/T/WheelTests.swift
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

echo 'let  x=1' | check layout bad Sources/SwivelCore/A.swift
printf '%s\npublic struct A {}\n' "$license" | check layout bad Sources/SwivelCore/A.swift
printf '%s\n\nlet x = 1\n' "$license" | check layout good Sources/SwivelCore/A.swift
if command -v clang-format >/dev/null 2>&1; then
    echo 'int x (){return 1;}' | check layout bad CSources/CSwivel/src/a.c
fi
echo 'int x;' | check layout good CSources/CSwivel/src/a.c

# Written with a gap, so that a search for these words does not find this file.
for word in TO-DO FIX-ME X-XX 'not imple-mented' 'for n-ow' place-holder; do
    echo "// $word" | sed 's/-//' | check english bad Sources/SwivelCore/A.swift
done
echo 'let perform = fork + for_now + now // before now_ns' | check english good Sources/SwivelCore/A.swift
each english bad docs/A.md <<'E2'
Who is slow gets the latest.
It ends. What is left goes back, and more.
It waits; who takes it ends it.
Nothing happens in this moment.
A record lives for ever.
E2
each english good docs/A.md <<'E2'
## What it costs
What does it cost?
- Returns: What the handler returns.
It says who waits, and forever.
E2
echo '// What is left' | check english good Sources/SwivelCore/A.swift

echo 'final class A: @unchecked Sendable {}' | check because bad Sources/SwivelCore/A.swift
printf '// because of the lock\n\nnonisolated(unsafe) var a = 1\n' | check because bad Tests/T/A.swift
echo 'nonisolated(unsafe) var a = 1 // because only main writes' | check because good Sources/SwivelCore/A.swift
printf '/// See `@unchecked Sendable`.\nfinal class A: @unchecked Sendable {\n    // Unchecked because `lock` protects\n    // every field.\n}\n' |
    check because good Sources/SwivelCore/A.swift

echo 'x = atomic_load(&y);' | check atomics bad CSources/CSwivel/src/inbox.c
echo '    _Atomic(int) count;' | check atomics bad CSources/CSwivel/include/internal/queue/wake.h
echo '#include <stdatomic.h>' | check atomics bad CSources/CSwivel/src/turn.c
echo 'SWIVEL_ATOMIC(int) x; // not atomic_int' | check atomics good CSources/CSwivel/src/inbox.c
echo '#include <stdatomic.h>' | check atomics good CSources/CSwivel/include/internal/thread/atomics.h

each blocking bad Sources/SwivelCore/A.swift <<'E2'
let gate = DispatchSemaphore(value: 0)
Thread.sleep(forTimeInterval: 1)
try await Task.sleep(for: .seconds(1))
usleep(10)
sleep(1)
while !done { nanosleep(&pause, nil) }
pthread_cond_wait(&condition, &mutex)
E2
echo 'poll(&fds, 1, -1);' | check blocking bad CSources/CSwivel/src/turn.c
echo 'pthread_cond_timedwait(&c, &m, &t);' | check blocking bad CSources/CSwivel/src/turn.c
echo 'pthread_cond_wait(&condition, &mutex)' |
    check blocking good CSources/CSwivel/src/thread/forks.c
each blocking good Sources/SwivelCore/A.swift <<'E2'
public func sleep(until deadline: Instant) async throws // no usleep(1) here
try await loop.clock.sleep(until: deadline)
let mayOversleep = asleep(1)
E2
echo 'loop->poll(loop); uv_poll_start(p, 1, f);' | check blocking good CSources/CSwivel/src/turn.c

sample='<!-- Snippets/A.swift -->\n```swift\nlet a = 1\n```\n'
# shellcheck disable=SC2059
printf "$sample" | check samples bad README.md
echo "let a = 1" | check samples good Snippets/A.swift more
echo "let a = 2" | check samples bad Snippets/A.swift more
printf '```swift\nlet a = 1\n```\n' | check samples good README.md

# An expression that no compiler checks in no time, and a limit that it is sure to pass.
export EXPRESSION_MS=1
echo 'let x = [1, 2.5].map { $0 * 2 + 1 / 3 - 0.5 }.reduce(0) { $0 + $1 * 2 }' |
    check type-check-time bad Snippets/A.swift
EXPRESSION_MS=5000
echo 'let x = 1' | check type-check-time good Snippets/A.swift
echo 'func f() { let x = 1 + 2; print(x) }' |
    check type-check-time good Tests/SwivelOperatorsTests/ATests.swift
unset EXPRESSION_MS
echo 'let x = 1 // error: cannot find' | check type-check-time bad Tests/Mistakes/A.swift
printf 'let x = 1\nlet y = z // error: cannot find .w. in scope\n' |
    check type-check-time bad Tests/Mistakes/A.swift
echo "let y = z  // error: cannot find 'z' in scope" |
    check type-check-time good Tests/Mistakes/A.swift
functions='func f() {}; func f() async {}; await f()'
echo "@available(*, noasync) $functions" | check type-check-time bad Tests/Scripts/A.swift
echo "$functions" | check type-check-time good Tests/Scripts/A.swift

table='| old | new | difference | test |
|---|---|---|---|'
printf '%s\n| `a` | `b` | none | |\n' "$table" | check compatibility bad docs/COMPATIBILITY.md
printf '# Names | without | a table\n%s\n' "$table" | check compatibility good docs/COMPATIBILITY.md
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
printf '/// Waits.\n///\n/// **Thread:** any.\n/// - Complexity: O(1).\npublic func wait() throws {\n' |
    check undocumented bad Sources/NewTarget/A.swift
printf '/// A context. **Thread:** any.\npublic protocol A {\n    /// Runs.\n    func run()\n}\n' |
    check undocumented bad Sources/NewTarget/A.swift
printf '/// A context. **Thread:** any.\npublic protocol A {\n    /// Runs.\n    /// - Complexity: O(1).\n    @discardableResult\n    func run()\n}\n' |
    check undocumented good Sources/NewTarget/A.swift
echo 'func internal() -> Int {' | check undocumented good Sources/NewTarget/A.swift

for rule in "$lint"/rules/*.sh; do
    name=${rule##*/}
    for kind in bad good; do
        grep -Eq "(check|each) ${name%.sh} $kind" "$0" && continue
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
