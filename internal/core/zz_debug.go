package core

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"
)

var zz0 = time.Now()

func ZZ(what string) {
	if os.Getenv("ZZ") == "" {
		return
	}
	b, _ := os.ReadFile("/proc/self/status")
	get := func(k string) string {
		_, a, _ := strings.Cut(string(b), k+":")
		return strings.Fields(a)[0]
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	fmt.Fprintf(os.Stderr, "%d %-14s %6.3fs rss %s hwm %s heap %d idle %d total %d gc %d\n", os.Getpid()%10, what, time.Since(zz0).Seconds(), get("VmRSS"), get("VmHWM"), m.HeapAlloc/1000, m.HeapIdle/1000, m.TotalAlloc/1000, m.NumGC)
}
