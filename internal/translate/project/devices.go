package project

import (
	"fmt"
	"strings"

	"github.com/go-op2/op2/internal/codegen"
	"github.com/go-op2/op2/internal/translate/recording"
	"github.com/go-op2/op2/internal/translate/unit"
)

// devices writes a file for each loop on a kind of device, its kernel included, and the master file that lists them.
func devices(texts map[string]string, target, suffix string, codes []recording.Code, of func(recording.Code) recording.Kernels) {
	var lists, table strings.Builder
	for _, c := range codes {
		k := of(c)
		texts[target+"/"+c.Name+"."+suffix] = "// The kernel at " + c.About + ".\n\n" + unit.Plain(k.Text)
		lists.WriteString(params(c.Name, k.Params))
		combine := "NULL, NULL, 0"
		if k.Combine != "" {
			lists.WriteString(params(c.Name+"_combine", k.CombineParams))
			combine = fmt.Sprintf("\"%s\", %s_combine_params, %d", k.Combine, c.Name, len(k.CombineParams))
		}
		fields := "NULL"
		if len(k.Consts) > 0 {
			fields = c.Name + "_fields"
			var list []string
			for _, f := range k.Consts {
				list = append(list, fmt.Sprintf("{%d, %d, %d}", f.Const, f.Offset, f.Size))
			}
			fmt.Fprintf(&lists, "static const struct field %s[] = {%s};\n", fields, strings.Join(list, ", "))
		}
		fmt.Fprintf(&lists, "static const char *const %s_flags[] = {%sNULL};\n", c.Name, quoted(k.Flags))
		byValue := 0
		if k.ConstsByValue {
			byValue = 1
		}
		fmt.Fprintf(&table, "\t{\"%s\", %d, \"%s\", %s_params, %d, %s, %s, %d, %d, %d, %s_flags},\n",
			c.Name, k.Size, k.Entry, c.Name, len(k.Params), combine, fields, len(k.Consts), k.ConstsSize, byValue, c.Name)
	}
	texts[target+"/loops.c"] = "// The loops of the target " + target + ", and what each parameter of their kernels is.\n#include \"../driver/device.h\"\n\n" +
		lists.String() + "\nconst struct code codes[] = {\n" + table.String() + "};\n"
}

// params returns the list of what the parameters of a kernel are.
func params(name string, slots []codegen.Slot) string {
	var list []string
	for _, s := range slots {
		list = append(list, fmt.Sprintf("{%s, %d}", paramNames[s.What], s.N))
	}
	return fmt.Sprintf("static const struct param %s_params[] = {%s};\n", name, strings.Join(list, ", "))
}

// paramNames are those of struct param in device.h. Others do not occur without a plan of blocks.
var paramNames = map[codegen.SlotKind]string{
	codegen.SlotData: "DATA", codegen.SlotMap: "MAP", codegen.SlotTable: "TABLE", codegen.SlotRowPtr: "ROWS", codegen.SlotColIdx: "COLUMNS",
	codegen.SlotSize: "SIZE", codegen.SlotOffset: "FIRST", codegen.SlotEnd: "LAST", codegen.SlotList: "LIST", codegen.SlotPer: "PER",
	codegen.SlotBefore: "BEFORE", codegen.SlotStride: "STRIDE", codegen.SlotConsts: "CONSTS", codegen.SlotFaults: "FAULTS",
	codegen.SlotPartials: "PARTIALS", codegen.SlotGroups: "GROUPS",
}

func quoted(list []string) string {
	var out strings.Builder
	for _, s := range list {
		fmt.Fprintf(&out, "%q, ", s)
	}
	return out.String()
}
