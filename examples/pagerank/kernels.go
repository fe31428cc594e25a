package main

import "math"

// width is the number of links in a bundle.
const width = 8

var damping = 0.85 // the probability that a visitor follows a link

// follow moves what flows through a bundle of links to the page that they all lead to.
func follow(share *[width]float64, arrived *float64) {
	*arrived += ((share[0] + share[1]) + (share[2] + share[3])) + ((share[4] + share[5]) + (share[6] + share[7]))
}

// settle turns what has arrived at a page, and the visitors that start there, into the page's new
// rank, and divides that among the page's links.
func settle(start, perLink, arrived, rank, share, change *float64) {
	r := (1-damping)**start + damping**arrived
	*change += math.Abs(r - *rank)
	*rank = r
	*share = r * *perLink
	*arrived = 0
}

// total adds up the ranks.
func total(rank, sum *float64) { *sum += *rank }
