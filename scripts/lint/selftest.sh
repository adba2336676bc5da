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

# check RULE bad|good FILE <text: seeds a project with this one file and runs the rule on it.
check() {
    echo x >>"$tree/cases"
    rm -rf "${tree:?}/project"
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

license='// SPDX-License-Identifier: Apache-2.0'

awk 'BEGIN { for (i = 0; i < 351; i++) print "//" }' | check file-size bad Sources/Swivel/Long.swift
awk 'BEGIN { for (i = 0; i < 351; i++) print "//" }' | check file-size bad CSources/CSwivel/src/long.c
awk 'BEGIN { for (i = 0; i < 350; i++) print "//" }' | check file-size good Sources/Swivel/Long.swift
awk 'BEGIN { for (i = 0; i < 351; i++) print "//" }' | check file-size good Benchmarks/.build/x/Long.swift

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

while read -r import; do
    echo "$import" | check layers bad Sources/SwivelCore/A.swift
done <<'E2'
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
echo "internal import CSwivel.Internal" | check layers good Sources/SwivelCore/A.swift
echo "import Synchronization // not Foundation" | check layers good Sources/SwivelCore/A.swift
echo "public import Foundation" | check layers good Sources/SwivelDispatch/A.swift
echo "@_exported public import SwivelCore" | check layers good Sources/Swivel/A.swift

echo '#include <uv.h>' | check uv-include bad CSources/CSwivel/src/wheel.c
echo '# include "../CLibUV/shim.h"' | check uv-include bad CSources/CSwivel/include/internal/loop.h
echo '#include <uv.h>' | check uv-include good CSources/CSwivel/src/park/park_portable.c
echo '#include <sys/uv.h.txt>' | check uv-include good CSources/CSwivel/src/wheel.c

check test-attribute bad Tests/T/WheelTests.swift <<'E2'
struct WheelTests {
    @Test func fires() {}

    func neverRuns() {}
}
E2
check test-attribute bad Tests/T/WheelTests.swift <<'E2'
@Suite(.serialized)
struct Wheel {
    @Test
    func fires() {
        if true {
        }
    }
    func neverRuns() async throws {
    }
}
E2
check test-attribute bad Benchmarks/Tests/T/WheelTests.swift <<'E2'
extension WheelTests {
    struct Inner {
        func helper() {}
    }
    @available(macOS 15, *) func neverRuns(_ seed: Int) {}
}
E2
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

echo 'let  x=1' | check swift-format bad Sources/SwivelCore/A.swift
printf '%s\npublic struct A {}\n' "$license" | check swift-format bad Sources/SwivelCore/A.swift
printf '%s\n\nlet x = 1\n' "$license" | check swift-format good Sources/SwivelCore/A.swift
if command -v clang-format >/dev/null 2>&1; then
    echo 'int x (){return 1;}' | check clang-format bad CSources/CSwivel/src/a.c
fi
echo 'int x;' | check clang-format good CSources/CSwivel/src/a.c

# Written with a gap, so that a search for these words does not find this file.
for word in TO-DO FIX-ME X-XX 'not imple-mented' 'for n-ow' place-holder; do
    echo "// $word" | sed 's/-//' | check unfinished bad Sources/SwivelCore/A.swift
done
echo 'let perform = fork + for_now + now // before now_ns' | check unfinished good Sources/SwivelCore/A.swift

echo 'final class A: @unchecked Sendable {}' | check because bad Sources/SwivelCore/A.swift
printf '// because of the lock\n\nnonisolated(unsafe) var a = 1\n' | check because bad Tests/T/A.swift
echo 'nonisolated(unsafe) var a = 1 // because only main writes' | check because good Sources/SwivelCore/A.swift
check because good Sources/SwivelCore/A.swift <<'E2'
/// Why `@unchecked Sendable` is needed is said below.
final class A: @unchecked Sendable {
    // Unchecked because `lock` protects
    // every field.
}
E2

echo 'x = atomic_load(&y);' | check atomics bad CSources/CSwivel/src/inbox.c
echo '    _Atomic(int) count;' | check atomics bad CSources/CSwivel/include/internal/queue/wake.h
echo '#include <stdatomic.h>' | check atomics bad CSources/CSwivel/src/turn.c
echo 'SWIVEL_ATOMIC(int) x; // not atomic_int' | check atomics good CSources/CSwivel/src/inbox.c
echo '#include <stdatomic.h>' | check atomics good CSources/CSwivel/include/internal/thread/atomics.h

while read -r call; do
    echo "    $call" | check blocking bad Sources/SwivelCore/A.swift
done <<'E2'
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
check blocking good Sources/SwivelCore/A.swift <<'E2'
public func sleep(until deadline: Instant) async throws // no usleep(1) here
try await loop.clock.sleep(until: deadline)
let mayOversleep = asleep(1)
E2
echo 'loop->poll(loop); uv_poll_start(p, 1, f);' | check blocking good CSources/CSwivel/src/turn.c

printf '<!-- Snippets/A.swift -->\n```swift\nlet a = 1\n```\n' | check samples bad README.md
printf '```swift\nlet a = 1\n```\n' | check samples good README.md
mkdir -p "$tree/samples/Snippets"
echo "let a = 1" >"$tree/samples/Snippets/A.swift"
printf '<!-- Snippets/A.swift -->\n```swift\nlet a = 1\n```\n' >"$tree/samples/README.md"
[ -z "$(cd "$tree/samples" && "$lint/rules/samples.sh")" ] || failed "samples reports a true sample"
echo "let a = 2" >"$tree/samples/Snippets/A.swift"
[ -n "$(cd "$tree/samples" && "$lint/rules/samples.sh")" ] || failed "samples passes a false sample"

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

echo '@available(*, noasync) func f() {}; func f() async {}; await f()' |
    check top-level bad Tests/Scripts/A.swift
echo 'func f() {}; func f() async {}; await f()' | check top-level good Tests/Scripts/A.swift

table='| old | new | difference | test |
|---|---|---|---|'
check compatibility bad docs/COMPATIBILITY.md <<E2
$table
| \`a\` | \`b\` | | \`ATests/isGone\` |
E2
check compatibility bad docs/COMPATIBILITY.md <<E2
$table
| \`a\` | \`b\` | none | |
E2
check compatibility good docs/COMPATIBILITY.md <<E2
# Names | without | a table
$table
E2
mkdir -p "$tree/compatibility/docs" "$tree/compatibility/Tests/T"
cat >"$tree/compatibility/Tests/T/ATests.swift" <<'E2'
@Suite(.serialized) struct ATests {
    @available(*, deprecated)
    @Test func runs() {}
    @Test(arguments: [1])
    func counts(_ x: Int) {}
    private func helper() {}
}
E2
page="$tree/compatibility/docs/COMPATIBILITY.md"
printf '%s\n| a \\| b | c | | `ATests/runs`, `ATests/counts` |\n' "$table" >"$page"
[ -z "$(cd "$tree/compatibility" && "$lint/rules/compatibility.sh")" ] ||
    failed "compatibility reports tests that exist"
for name in ATests/helper BTests/runs ATests/run; do
    printf '%s\n| a | c | | `ATests/runs`, `%s` |\n' "$table" "$name" >"$page"
    [ -n "$(cd "$tree/compatibility" && "$lint/rules/compatibility.sh")" ] ||
        failed "compatibility passes $name, which is no test"
done

for rule in "$lint"/rules/*.sh; do
    name=${rule##*/}
    for kind in bad good; do
        grep -q "check ${name%.sh} $kind" "$0" && continue
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
