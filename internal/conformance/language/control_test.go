//lint:file-ignore SA4011 breaks that leave only a switch are the point

package language_test

// Control flow: loops, switches, labels.

func loops(a *[6]int64, _ *[6]float64, r *[16]int64, _ *[16]float64) {
	n := a[0] & 15
	for i := range n {
		r[0] += i
	}
	for i := range n {
		r[1] += i
		i += 5 // of this round alone
		r[1] += i * 100
		n = 3 // the number of rounds is decided
	}
	for range int8(a[1]) {
		r[2]++
	}
	for i := range uint8(a[1]) {
		r[3] += int64(i)
	}
	for i := uint8(250); i >= 250; i++ { // ends when it wraps
		r[4] += int64(i)
	}
	for i, j := 0, 10; i < j; i, j = i+1, j-2 {
		if i == 1 {
			continue
		}
		r[5] = r[5]*10 + int64(i) + int64(j)
	}
	i := int64(0)
	for i < 5 {
		i += 2
	}
	r[6] = i
	for {
		i--
		if i < -3 {
			break
		}
		if i&1 == 0 {
			continue
		}
		r[7] = r[7]*10 + i
	}
	for i := 10; i > 0; i /= 2 {
		r[8] = r[8]*10 + int64(i)
	}
	for i := int8(0); i >= 0; i += 50 {
		r[9]++
	}
	for x := a[2] & 0xff; x != 0; x &= x - 1 {
		r[10]++
	}
	for i = 3; i < 6; i++ {
	}
	r[11] = i
	for range 3 {
		for range 4 {
			r[12]++
		}
	}
	const rounds = 4
	for i := range rounds {
		for j := range i {
			r[13] += int64(i * j)
		}
	}
	var k int64
	for k = range 7 {
		if k == a[3]&7 {
			break
		}
	}
	r[14] = k
	for i := range a[0] { // none where it is negative
		if i > 2 {
			break
		}
		r[15]++
	}
}

func labels(a *[6]int64, _ *[6]float64, r *[16]int64, _ *[16]float64) {
	limit := a[0] & 7
outer:
	for i := range int64(6) {
		for j := range int64(6) {
			if j > i {
				continue outer
			}
			if i*j > limit {
				break outer
			}
			switch j {
			case 1:
				continue
			case 2:
				//lint:ignore SA4011 it leaves the switch alone
				break
			case 3:
				continue outer
			case 4:
				break outer
			}
			r[0] += 10*i + j
		}
		r[1] += i
	}
search:
	switch limit {
	case 1, 2:
		for i := range int64(10) {
			if i == 3 {
				break search
			}
			r[2] += i
		}
		r[2] = -1
	case 3:
		break
	default:
		if limit > 4 {
			break search
		}
		r[2] = 100
	}
next:
	for i, j := 0, 20; i < j; i, j = i+1, j-1 {
		for k := range 3 {
			if (i+k)%4 == 1 {
				continue next
			}
			r[3] += int64(i * k)
		}
		r[4]++
	}
first:
	for i := range 3 {
	second:
		for j := range 3 {
			for k := range 3 {
				switch {
				case k == 2 && j == 1:
					continue first
				case k == 1 && i == 2:
					break second
				case k == int(limit):
					continue second
				}
				r[5] = r[5]*3 + int64(i+j+k)
			}
		}
		r[6]++
	}
}

func switches(a *[6]int64, x *[6]float64, r *[16]int64, _ *[16]float64) {
	switch a[0] & 7 {
	case 0:
		r[0] = 1
		fallthrough
	case 1:
		r[0] += 10
	case 2, 3:
		r[0] = 100
		fallthrough
	default:
		r[0] += 1000
		fallthrough
	case 6:
		r[0] += 10000
	}
	switch { // no tag, the default in the middle
	case a[0] < 0:
		r[1] = 1
	default:
		r[1] = 2
		fallthrough
	case a[0] > 100:
		r[1] += 5
	case a[0] > 10:
		r[1] += 7
	}
	switch x[0] {
	case 1.5:
		r[2] = 1
		fallthrough
	case -1.5, 0:
		r[2] += 2
	case x[1]:
		r[2] = 4
	}
	switch b := a[0] > a[1]; b {
	case true:
		r[3] = 1
	case false:
		r[3] = 2
	}
	switch int8(a[0]) {
	case -128:
		r[4] = 1
	case -1:
		r[4] = 2
	case 127:
		r[4] = 3
	}
	switch uint64(a[0]) {
	case 18446744073709551615:
		r[5] = 1
	case 1 << 63:
		r[5] = 2
	case 1<<63 - 1:
		r[5] = 3
	}
	switch a[0] {
	case -9223372036854775808:
		r[6] = 1
	case a[1]:
		r[6] = 2
	case a[1] + 1, 2 * a[1]:
		r[6] = 3
		if a[2] > 0 {
			break
		}
		r[6] = 4
	}
	switch {
	}
	switch a[3] {
	default:
		r[7] = 5
	}
	switch y := a[0] % 3; {
	case y > 0:
		r[8] = y
	case y < 0:
		y := -y
		r[8] = 10 * y
	}
	switch a[0] & 3 {
	case 0:
		switch a[1] & 3 {
		case 0:
			r[9] = 1
		case 1:
			break
		default:
			r[9] = 2
		}
		r[9] += 10
	case 1:
		for i := range a[1] & 7 {
			switch i {
			case 2:
				continue
			case 5:
				r[9] = 7
			}
			if i == 6 {
				break
			}
			r[9]++
		}
	}
	switch uint32(a[0]) {
	case 4294967295, 2147483648:
		r[10] = 1
	case 2147483647:
		r[10] = 2
	}
	switch true {
	case a[0] == 1:
		r[11] = 1
	case a[0] == 2, a[0] == 3:
		r[11] = 2
	}
}

func ifs(a *[6]int64, _ *[6]float64, r *[16]int64, _ *[16]float64) {
	if p := a[0] & 3; p == 0 {
		r[0] = 1
	} else if q := p * 2; q == 2 {
		r[0] = 2 + q
	} else if p := p + q; p > 7 {
		r[0] = p
	} else {
		r[0] = -p
		p = 9
		r[0] -= p
	}
	if a[0] > 0 && a[1]/a[0] > 0 || a[0] < 0 && a[1]%a[0] == 0 { // the right side is not evaluated for 0
		r[1] = 1
	}
	if !(a[0] > 0 == (a[1] > 0)) {
		r[2] = 1
	}
	table := [3]int64{1, 2, 3}
	if i := a[0]; i >= 0 && i < 3 && table[i] > 1 {
		r[3] = table[i]
	}
	if a[2] > 0 {
	} else {
		r[4] = 1
	}
	{
		a := int64(5)
		r[5] = a
	}
}

func returns(a *[6]int64, _ *[6]float64, r *[16]int64, _ *[16]float64) {
	r[0] = sign(a[0])
	r[1], r[2] = named(a[0], a[1])
	r[3] = early(a[0], &r[4])
	if a[0] == 7 {
		return
	}
	r[5] = 1
	for i := range int64(4) {
		if i == a[1]&3 {
			r[6] = i
			return
		}
	}
	r[7] = 1
}

func sign(x int64) int64 {
	switch {
	case x < 0:
		return -1
	case x > 0:
		return 1
	}
	return 0
}

func named(x, y int64) (small, large int64) {
	small, large = x, y
	if small > large {
		small, large = large, small
		return
	}
	large++
	return small - 1, large
}

func early(x int64, at *int64) (result int64) {
	*at = 1
	if x > 10 {
		return 10
	}
	for result < x {
		result += 3
		if result == 6 {
			return
		}
	}
	*at = 2
	return result + 1
}
