// SPDX-License-Identifier: Apache-2.0

package main

import (
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// A turn has as many operations as on every other side. Go has no loop: after a turn the goroutine
// lets the scheduler look at its timers.
const aTurn = 1000

// Random delays of 1 to 60 s, drawn beforehand, as the lab's own are.
var far = func() (delays [4096]time.Duration) {
	random := splitMix(1)
	for index := range delays {
		delays[index] = time.Second + time.Duration(random.next()%59_000_000_000)
	}
	return
}()

// The SplitMix64 generator (Steele, Lea, Flood 2014): the same numbers in every run.
type splitMix uint64

func (random *splitMix) next() uint64 {
	*random += 0x9E3779B97F4A7C15
	mixed := uint64(*random)
	mixed = (mixed ^ mixed>>30) * 0xBF58476D1CE4E5B9
	mixed = (mixed ^ mixed>>27) * 0x94D049BB133111EB
	return mixed ^ mixed>>31
}

// Timers that stand by. Each of them was stopped or has fired in the end.
type field struct {
	timers []*time.Timer
	fired  atomic.Int64
}

func standing(outstanding int) *field {
	field := &field{timers: make([]*time.Timer, outstanding)}
	for index := range field.timers {
		field.timers[index] = field.arm(index)
	}
	return field
}

// The closure captures a pointer and a number, as on every side.
func (field *field) arm(index int) *time.Timer {
	return time.AfterFunc(far[index&4095], func() { field.fired.Add(int64(index&1 | 1)) })
}

// Stops all timers, and tells how many of the `armed` ones were neither stopped nor have fired. One
// that the runtime has just begun to fire is waited for.
func (field *field) close(armed, stopped int) int {
	for _, timer := range field.timers {
		if timer.Stop() {
			stopped++
		}
	}
	for limit := time.Now().Add(time.Second); time.Now().Before(limit); {
		if stopped+int(field.fired.Load()) == armed {
			break
		}
		time.Sleep(time.Millisecond)
	}
	return armed - stopped - int(field.fired.Load())
}

func inTurns(first, operations int, body func(int)) {
	for index := 0; index < operations; {
		for end := index + aTurn; index < end && index < operations; index++ {
			body(first + index)
		}
		runtime.Gosched()
	}
}

// One operation: time.AfterFunc with a capturing closure, and Stop.
func pairs(request request) answer {
	outstanding, operations := request.number("outstanding", 0), request.number("operations", 1)
	field := standing(outstanding)
	var fired atomic.Int64
	stopped := 0
	pair := func(index int) {
		timer := time.AfterFunc(far[index&4095], func() { fired.Add(int64(index | 1)) })
		if timer.Stop() {
			stopped++
		}
	}
	var span span
	onCore(request.number("core", 0), func() {
		inTurns(0, operations/10, pair)
		stopped = 0
		span = begin()
		inTurns(operations/10, operations, pair)
		span.end(time.Now())
	})
	return answer{span: span, operations: stopped, fired: int(fired.Load()),
		left: field.close(outstanding, 0)}
}

// One operation: Stop of a random timer, and time.AfterFunc for its successor.
func churn(request request) answer {
	outstanding, operations := request.number("outstanding", 1), request.number("operations", 1)
	warmUp := request.number("warmup", 0)
	picks, random := make([]uint32, 1<<18), splitMix(7)
	for index := range picks {
		picks[index] = uint32(random.next() % uint64(outstanding))
	}
	field := standing(outstanding)
	stopped, done := 0, 0
	swap := func(index int) {
		timer := &field.timers[picks[index&(len(picks)-1)]]
		if (*timer).Stop() {
			stopped++
		}
		*timer = field.arm(index)
		done++
	}
	var span span
	onCore(request.number("core", 0), func() {
		inTurns(0, warmUp, swap)
		span = begin()
		inTurns(warmUp, operations, swap)
		span.end(time.Now())
	})
	return answer{span: span, operations: done - warmUp,
		left: field.close(outstanding+done, stopped)}
}

// One operation: Reset of one and the same pending timer.
func debounce(request request) answer {
	outstanding, operations := request.number("outstanding", 0), request.number("operations", 1)
	field := standing(outstanding)
	fired, done := make(chan struct{}, 2), 0
	timer := time.AfterFunc(5*time.Second, func() { fired <- struct{}{} })
	push := func(int) {
		if timer.Reset(5 * time.Second) {
			done++
		}
	}
	var span span
	onCore(request.number("core", 0), func() {
		inTurns(0, operations/10, push)
		done = 0
		span = begin()
		inTurns(0, operations, push)
		span.end(time.Now())
	})
	timer.Reset(time.Millisecond)
	<-fired
	return answer{span: span, operations: done, fired: 1 + len(fired),
		left: field.close(outstanding, 0)}
}

// One operation: a firing, of timers that are all due at one instant. The runtime starts a goroutine
// for each closure. No program can keep the runtime from firing, so that there is no burst of timers
// whose deadlines lie apart.
func burst(request request) answer {
	return fire(request.number("count", 1), func(int) time.Duration { return 0 })
}

// One operation: a firing, evenly spread over the range.
func spread(request request) answer {
	count := request.number("count", 1)
	apart := time.Duration(request.number("range_ms", 0)) * time.Millisecond / time.Duration(count)
	return fire(count, func(index int) time.Duration { return time.Duration(index) * apart })
}

// The first timer is due after all are armed; where arming takes longer, everything is made again with
// twice as much time.
func fire(count int, offset func(int) time.Duration) answer {
	lead := 50*time.Millisecond + time.Duration(count)*4*time.Microsecond
	for attempt := 0; attempt < 4; attempt++ {
		if answer, inTime := fireAfter(lead, count, offset); inTime {
			return answer
		}
		lead *= 2
	}
	panic("arming took longer than " + lead.String())
}

func fireAfter(lead time.Duration, count int, offset func(int) time.Duration) (answer, bool) {
	field := &field{timers: make([]*time.Timer, count)}
	end := make(chan time.Time, 1)
	first := time.Now().Add(lead)
	for index := range field.timers {
		field.timers[index] = time.AfterFunc(time.Until(first.Add(offset(index))), func() {
			if field.fired.Add(1) == int64(count) {
				end <- time.Now()
			}
		})
	}
	span := begin()
	if time.Now().After(first) {
		return answer{left: field.close(count, 0)}, false
	}
	span.start = first
	span.end(<-end)
	fired := int(field.fired.Load())
	return answer{span: span, operations: count, fired: fired, left: field.close(count, 0)}, true
}

// One operation: a timer of 1 to 3 ms, armed when the one before it fires. Its time is how late it is.
func lateness(request request) answer {
	outstanding, count := request.number("outstanding", 0), request.number("count", 1)
	field := standing(outstanding)
	times, done := make([]int64, 0, count), make(chan struct{})
	var arm func()
	arm = func() {
		delay := time.Duration(1+far[len(times)&4095].Milliseconds()%3) * time.Millisecond
		due := time.Now().Add(delay)
		time.AfterFunc(delay, func() {
			times = append(times, time.Since(due).Nanoseconds())
			if len(times) < count {
				arm()
			} else {
				close(done)
			}
		})
	}
	span := begin()
	arm()
	<-done
	span.end(time.Now())
	return answer{span: span, operations: count, fired: len(times), times: times,
		left: field.close(outstanding, 0)}
}

// One operation: as in pairs, from several goroutines at once. They share as many threads as there
// are cores.
func threads(request request) answer {
	producers, each := request.number("producers", 1), request.number("each", 1)
	field := standing(1000)
	var fired, stopped atomic.Int64
	var group sync.WaitGroup
	gate := make(chan struct{})
	for producer := 0; producer < producers; producer++ {
		group.Add(1)
		go func() {
			defer group.Done()
			run := func(count int) (own int) {
				for index := 0; index < count; index++ {
					index := index
					if time.AfterFunc(far[index&4095], func() { fired.Add(int64(index | 1)) }).Stop() {
						own++
					}
				}
				return
			}
			run(each / 10)
			<-gate
			stopped.Add(int64(run(each)))
		}()
	}
	span := begin()
	close(gate)
	group.Wait()
	span.end(time.Now())
	return answer{span: span, operations: int(stopped.Load()), fired: int(fired.Load()),
		left: field.close(1000, 0)}
}
