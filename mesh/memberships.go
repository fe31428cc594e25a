package mesh

// memberships divides elements and nodes into classes, each of those that belong to the same groups.
type memberships struct {
	groups [4][][]int // of each dimension and class, the indices in [Mesh.Groups]; the first class has none
	block  [][]int32  // for each block, the class of each element
	nodes  []int32    // the class of each node
}

// memberships returns the classes of a valid mesh.
func (m *Mesh) memberships() *memberships {
	c := &memberships{block: make([][]int32, len(m.Blocks)), nodes: make([]int32, m.Nodes())}
	for b := range m.Blocks {
		c.block[b] = make([]int32, m.Blocks[b].Len())
	}
	for dim := range c.groups {
		c.groups[dim] = [][]int{nil}
	}
	for i, g := range m.Groups {
		c.divide(i, g)
	}
	return c
}

// divide divides each class into members of a group and others.
func (c *memberships) divide(index int, g Group) {
	list := &c.groups[g.Dim]
	within := map[int32]int32{} // by class: the new class of its members in the group
	first := int32(len(*list))
	for _, members := range g.Members {
		of := c.nodes
		if members.Block >= 0 {
			of = c.block[members.Block]
		}
		for _, e := range members.Elements {
			old := of[e]
			if old >= first {
				continue // an element that is in the group twice
			}
			divided, found := within[old]
			if !found {
				divided = int32(len(*list))
				within[old] = divided
				groups := (*list)[old]
				*list = append(*list, append(groups[:len(groups):len(groups)], index))
			}
			of[e] = divided
		}
	}
}
