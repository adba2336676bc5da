// SPDX-License-Identifier: Apache-2.0
// A rival in C: a process that the lab asks for one sample at a time.
//
// A request is a line, `pairs outstanding=1000 operations=100000 core=0`, and so is its answer,
// `ok wall=... cpu=...` or `error ...`. Benchmarks/README.md describes both. The end of the input ends the
// program. Between two requests it blocks in a read and uses no CPU.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "classic.h"

/// A number that a request has to have, and the least that it may be.
struct need {
    const char *name;
    size_t place;
    uint32_t least;
};

#define NEED(number, least) {#number, offsetof(struct request, number), least}

static const struct work {
    const char *name;
    struct answer (*run)(const struct request *request);
    struct need needs[5];
} works[] = {
    {"pairs", pairs, {NEED(outstanding, 0), NEED(operations, 1), NEED(core, 0)}},
    {"churn",
     churn,
     {NEED(outstanding, 1), NEED(operations, 1), NEED(warmup, 0), NEED(core, 0)}},
    {"debounce", debounce, {NEED(outstanding, 0), NEED(operations, 1), NEED(core, 0)}},
    {"threads", takes_threads ? threads : NULL, {NEED(producers, 1), NEED(each, 1)}},
    {"burst", burst, {NEED(count, 1), NEED(range_ms, 0)}},
    {"spread", spread, {NEED(count, 1), NEED(range_ms, 0)}},
    {"lateness", lateness, {NEED(outstanding, 0), NEED(count, 1)}},
    {"posts", posts, {NEED(producers, 1), NEED(each, 1), NEED(capturing, 0)}},
    {"roundtrips", round_trips, {NEED(trips, 1)}},
};

static const struct work *find(const char *name)
{
    for (size_t i = 0; i < sizeof works / sizeof works[0]; i += 1) {
        if (strcmp(works[i].name, name) == 0) {
            return works[i].run == NULL ? NULL : &works[i];
        }
    }
    return NULL;
}

// Takes the number called `need->name` from the words of a request.
static bool take(const struct need *need, char *const *words, size_t count,
                 struct request *request)
{
    size_t length = strlen(need->name);
    for (size_t i = 0; i < count; i += 1) {
        if (strncmp(words[i], need->name, length) == 0 && words[i][length] == '=') {
            char *end;
            unsigned long long number = strtoull(words[i] + length + 1, &end, 10);
            if (end == words[i] + length + 1 || *end != '\0' || number > UINT32_MAX) {
                return false;
            }
            *(uint32_t *)((char *)request + need->place) = (uint32_t)number;
            return number >= need->least;
        }
    }
    return false;
}

static void print_answer(const struct answer *answer)
{
    const struct usage *used = &answer->span.used;
    printf("ok wall=%" PRId64 " cpu=%" PRId64 " sleeps=%" PRId64 " preemptions=%" PRId64,
           answer->span.wall_ns, used->cpu_ns, used->sleeps, used->preemptions);
    printf(" operations=%" PRIu64 " fired=%" PRIu64 " left=%" PRId64, answer->operations,
           answer->fired, answer->left);
    for (uint64_t i = 0; answer->times_ns != NULL && i < answer->operations; i += 1) {
        printf("%s%" PRId64, i == 0 ? " times=" : ",", answer->times_ns[i]);
    }
    printf("\n");
}

static void reply(char *line)
{
    char *words[16];
    size_t count = 0;
    for (char *word = strtok(line, " \n"); word != NULL && count < 16; word = strtok(NULL, " \n")) {
        words[count++] = word;
    }
    const struct work *work = count == 0 ? NULL : find(words[0]);
    if (work == NULL) {
        printf("error unknown request: %s\n", count == 0 ? "" : words[0]);
        return;
    }
    struct request request = {0};
    for (const struct need *need = work->needs; need->name != NULL; need += 1) {
        if (!take(need, words + 1, count - 1, &request)) {
            printf("error no such number as %s needs: %s\n", need->name, work->name);
            return;
        }
    }
    struct answer answer = work->run(&request);
    print_answer(&answer);
    free(answer.times_ns);
#if defined(__GLIBC__)
    // The next sample starts with an empty heap.
    (void)malloc_trim(0);
#endif
}

int main(void)
{
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) >= 0) {
        reply(line);
        (void)fflush(stdout);
    }
    free(line);
    return 0;
}
