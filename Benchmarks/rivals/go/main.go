// SPDX-License-Identifier: Apache-2.0

// The Go rival: a process that the lab asks for one sample at a time.
//
// A request is a line, `pairs outstanding=1000 operations=100000 core=0`, and so is its answer,
// `ok wall=... cpu=...` or `error ...`. Benchmarks/README.md describes both. The end of the input ends the
// program. Between two requests it blocks in a read and uses no CPU.
package main

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"time"
)

var work = map[string]func(request) answer{
	"pairs":      pairs,
	"churn":      churn,
	"debounce":   debounce,
	"burst":      burst,
	"spread":     spread,
	"lateness":   lateness,
	"threads":    threads,
	"posts":      posts,
	"roundtrips": roundTrips,
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	out := bufio.NewWriter(os.Stdout)
	for in.Scan() {
		fmt.Fprintln(out, reply(in.Text()))
		out.Flush()
	}
}

func reply(line string) (text string) {
	defer func() {
		switch problem := recover().(type) {
		case nil:
		case badNumber:
			text = "error no such number as " + string(problem) + " needs: " + line
		default:
			panic(problem)
		}
	}()
	words := strings.Fields(line)
	if len(words) == 0 || work[words[0]] == nil {
		return "error unknown request: " + line
	}
	answer := work[words[0]](parse(words[1:]))
	// The next sample starts with an empty heap, and nobody collects garbage between the two.
	debug.FreeOSMemory()
	return answer.String()
}

type request map[string]int

// The name of a number that the request lacks or that is too small.
type badNumber string

func parse(words []string) request {
	request := request{}
	for _, word := range words {
		name, value, _ := strings.Cut(word, "=")
		if number, err := strconv.Atoi(value); err == nil {
			request[name] = number
		}
	}
	return request
}

func (request request) number(name string, least int) int {
	number, found := request[name]
	if !found || number < least {
		panic(badNumber(name))
	}
	return number
}

// The findings of one sample. The lab compares the counts with what they have to be.
type answer struct {
	span
	operations int // done, and found to be done
	fired      int // closures that ran
	left       int // timers that were armed and neither stopped nor fired
	times      []int64
}

func (answer answer) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "ok wall=%d cpu=%d sleeps=%d preemptions=%d operations=%d fired=%d left=%d",
		answer.wall, answer.use.cpu, answer.use.sleeps, answer.use.preemptions,
		answer.operations, answer.fired, answer.left)
	for index, time := range answer.times {
		text.WriteString(map[bool]string{true: " times=", false: ","}[index == 0])
		text.WriteString(strconv.FormatInt(time, 10))
	}
	return text.String()
}

// The resources that the process has used: CPU time of all its threads in nanoseconds, and their switches.
type usage struct{ cpu, sleeps, preemptions int64 }

func used() usage {
	var own syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &own); err != nil {
		panic(err)
	}
	return usage{own.Utime.Nano() + own.Stime.Nano(), int64(own.Nvcsw), int64(own.Nivcsw)}
}

// Elapsed time, and what the process has used until it was idle again.
type span struct {
	start  time.Time
	before usage
	wall   int64
	use    usage
}

func begin() span {
	settle()
	before := used()
	return span{start: time.Now(), before: before}
}

func (span *span) end(at time.Time) {
	span.wall = at.Sub(span.start).Nanoseconds()
	// Of the wait, which sleeps too, only the CPU time counts.
	span.use = used()
	waiting := settle()
	span.use.cpu = used().cpu - waiting - span.before.cpu
	span.use.sleeps -= span.before.sleeps
	span.use.preemptions -= span.before.preemptions
}

// Waits until the process uses hardly any CPU: the lab's `Settle` with its limits. Returns the CPU time
// that the wait itself has cost its thread.
func settle() int64 {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	start := threadCPU()
	limit := time.Now().Add(5 * time.Second)
	last := used().cpu
	for calm := 0; calm < 2 && time.Now().Before(limit); {
		pause(1_000_000)
		now := used().cpu
		if now < last+150_000 {
			calm++
		} else {
			calm = 0
		}
		last = now
	}
	return threadCPU() - start
}
