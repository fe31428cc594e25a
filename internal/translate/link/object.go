package link

import (
	"bytes"
	"cmp"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"
)

// An Object is a compiled C file.
type Object struct {
	Name  string              // for messages, such as "res_calc.c"
	Data  []byte              // a relocatable ELF file, little-endian, for amd64 or arm64
	Stack map[string]StackUse // by function, from ParseStackUse
}

// A section is a part of an object that is placed as a whole, or dropped: a section of the file, or one constant of a
// section of constants.
type section struct {
	object  *Object
	name    string
	flags   elf.SectionFlag
	align   int
	data    []byte
	relocs  []reloc
	symbols []symbol // functions and variables in it, by offset
	mapping []symbol // on arm64: where instructions ($x) and data between them ($d) start, by offset

	constants []*section // in this section, if they are all of one size and it is not used as a whole
}

// same reports whether r and other refer to one place.
func (r reloc) same(other reloc) bool {
	return r.local == other.local && r.value == other.value && r.addend == other.addend && (r.local != nil || r.name == other.name)
}

// A symbol is a name for an offset in a section.
type symbol struct {
	name string
	kind elf.SymType
	at   int
}

func byOffset(a, b symbol) int { return cmp.Compare(a.at, b.at) }

// A reloc is a place where the linker fills in the distance of a symbol.
type reloc struct {
	at     int
	kind   uint32
	addend int
	name   string   // of the symbol
	local  *section // of a symbol that the object defines; nil: of another
	value  int      // offset of the symbol there
	tls    bool
}

// split makes a section of each constant of a size.
func (s *section) split(size int) {
	for i := 0; i+size <= len(s.data); i += size {
		s.constants = append(s.constants, &section{object: s.object, name: s.name, flags: s.flags, align: s.align, data: s.data[i : i+size]})
	}
}

func (s *section) code() bool { return s.flags&elf.SHF_EXECINSTR != 0 }

// function returns the name of the function in a section of code. The rarely executed part that gcc splits from f as
// f.cold belongs to f.
func (s *section) function() string { return strings.TrimSuffix(s.nameAt(0), ".cold") }

// nameAt returns the name of the symbol at or before an offset, or else of the section.
func (s *section) nameAt(offset int) string {
	name := s.name
	for _, y := range s.symbols {
		if y.at <= offset {
			name = y.name
		}
	}
	return name
}

// A definition is where a global symbol is.
type definition struct {
	section *section
	at      int
	weak    bool
}

// read reads the sections and the global symbols of an object.
func (l *linker) read(o *Object) error {
	f, err := elf.NewFile(bytes.NewReader(o.Data))
	if err != nil {
		return fmt.Errorf("is no ELF file (%w)", err)
	}
	if f.Type != elf.ET_REL || f.Class != elf.ELFCLASS64 || f.Data != elf.ELFDATA2LSB {
		return fmt.Errorf("is no relocatable ELF file of 64 bits, little-endian")
	}
	m, ok := machines[f.Machine]
	if !ok {
		return fmt.Errorf("is for %v, not for amd64 or arm64", f.Machine)
	}
	if l.machine == nil {
		l.machine = m
	}
	if l.machine != m {
		return fmt.Errorf("is for %s, those before it are for %s", m.arch, l.machine.arch)
	}
	sections := make([]*section, len(f.Sections))
	for i, s := range f.Sections {
		if s.Flags&elf.SHF_ALLOC == 0 {
			continue
		}
		sections[i] = &section{object: o, name: s.Name, flags: s.Flags, align: max(int(s.Addralign), 1)}
		if s.Type == elf.SHT_NOBITS {
			continue // uninitialized variables, which are refused
		}
		if sections[i].data, err = s.Data(); err != nil {
			return fmt.Errorf("has a damaged section %s (%w)", s.Name, err)
		}
		if s.Flags&(elf.SHF_MERGE|elf.SHF_STRINGS) == elf.SHF_MERGE && s.Entsize > 0 {
			sections[i].split(int(s.Entsize))
		}
	}
	symbols, err := f.Symbols()
	if err != nil {
		return fmt.Errorf("has no symbols (%w)", err)
	}
	if err := l.define(o, sections, symbols); err != nil {
		return err
	}
	for _, s := range f.Sections {
		if s.Type != elf.SHT_RELA || int(s.Info) >= len(sections) || sections[s.Info] == nil {
			continue
		}
		if sections[s.Info].relocs, err = relocations(s, sections, symbols, m); err != nil {
			return err
		}
	}
	return nil
}

// define enters symbols into their sections, and the global ones into the linker's table.
func (l *linker) define(o *Object, sections []*section, symbols []elf.Symbol) error {
	for _, y := range symbols {
		s := at(sections, int(y.Section))
		if s == nil {
			continue
		}
		value, kind := int(y.Value), elf.ST_TYPE(y.Info)
		switch {
		case strings.HasPrefix(y.Name, "$"):
			s.mapping = append(s.mapping, symbol{y.Name, kind, value})
		case kind == elf.STT_FUNC || kind == elf.STT_OBJECT || kind == elf.STT_TLS:
			s.symbols = append(s.symbols, symbol{y.Name, kind, value})
		}
		bind := elf.ST_BIND(y.Info)
		if bind == elf.STB_LOCAL {
			continue
		}
		was, exists := l.globals[y.Name]
		if exists && !was.weak && bind != elf.STB_WEAK {
			l.problem(o, "", fmt.Sprintf("defines %s, as %s does", y.Name, was.section.object.Name))
		}
		if !exists || was.weak && bind != elf.STB_WEAK {
			l.globals[y.Name] = definition{s, value, bind == elf.STB_WEAK}
		}
	}
	for _, s := range sections {
		if s != nil {
			slices.SortStableFunc(s.symbols, byOffset)
			slices.SortStableFunc(s.mapping, byOffset)
		}
	}
	return nil
}

// relocations reads the relocations of one section.
func relocations(s *elf.Section, sections []*section, symbols []elf.Symbol, m *machine) ([]reloc, error) {
	data, err := s.Data()
	if err != nil {
		return nil, fmt.Errorf("has damaged relocations %s (%w)", s.Name, err)
	}
	var relocs []reloc
	const size = 24 // of an Elf64_Rela
	for ; len(data) >= size; data = data[size:] {
		info := binary.LittleEndian.Uint64(data[8:])
		r := reloc{
			at: int(binary.LittleEndian.Uint64(data)), kind: uint32(info),
			addend: int(int64(binary.LittleEndian.Uint64(data[16:]))),
		}
		if r.kind == 0 {
			continue
		}
		i := int(info>>32) - 1 // debug/elf leaves out the first
		if i < 0 || i >= len(symbols) {
			return nil, fmt.Errorf("has a relocation without a symbol in %s", s.Name)
		}
		y := symbols[i]
		r.name, r.value, r.local = y.Name, int(y.Value), at(sections, int(y.Section))
		r.tls = elf.ST_TYPE(y.Info) == elf.STT_TLS
		if r.local != nil && len(r.local.constants) > 0 {
			r.refine(elf.ST_TYPE(y.Info) == elf.STT_SECTION, m)
		}
		relocs = append(relocs, r)
	}
	slices.SortStableFunc(relocs, func(a, b reloc) int { return cmp.Compare(a.at, b.at) })
	return relocs, nil
}

// refine makes a relocation to a section of constants one to the constant. If it counts from the start of the section,
// that is unknown where the addend contains the distance to the end of the instruction.
func (r *reloc) refine(section bool, m *machine) {
	constants := r.local.constants
	size := len(constants[0].data)
	switch i := (r.value + r.addend) / size; {
	case !section && r.value/size < len(constants):
		r.local, r.value = constants[r.value/size], r.value%size
	case section && m.pastEnd == 0 && i >= 0 && i < len(constants):
		r.local, r.value, r.addend = constants[i], 0, r.value+r.addend-i*size
	}
}

// at returns element i, or nil.
func at(sections []*section, i int) *section {
	if i <= 0 || i >= len(sections) {
		return nil
	}
	return sections[i]
}
