package vtu

import "errors"

var errLZ4 = errors.New("a block is not compressed by LZ4")

// unLZ4 decompresses a block of LZ4: sequences of literals, each followed by a copy of earlier bytes, but for the
// last one (https://github.com/lz4/lz4/blob/dev/doc/lz4_Block_format.md).
func unLZ4(to, block []byte) error {
	at, done := 0, 0
	// length returns the length that starts with the four bits of a token.
	length := func(bits byte) (int, bool) {
		n := int(bits)
		for more := bits == 15; more; {
			if at == len(block) {
				return 0, false
			}
			n += int(block[at])
			more = block[at] == 255
			at++
		}
		return n, true
	}
	for at < len(block) {
		token := block[at]
		at++
		literals, ok := length(token >> 4)
		if !ok || literals > len(block)-at || literals > len(to)-done {
			return errLZ4
		}
		done += copy(to[done:], block[at:at+literals])
		if at += literals; at == len(block) {
			break
		}
		if at+2 > len(block) {
			return errLZ4
		}
		back := int(block[at]) | int(block[at+1])<<8
		at += 2
		n, ok := length(token & 15)
		if n += 4; !ok || back == 0 || back > done || n > len(to)-done {
			return errLZ4
		}
		for range n { // byte by byte: source and destination may overlap
			to[done] = to[done-back]
			done++
		}
	}
	if done != len(to) {
		return errLZ4
	}
	return nil
}
