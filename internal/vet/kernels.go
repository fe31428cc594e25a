package vet

import (
	"errors"
	"go/ast"
	"go/types"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/go-op2/op2/internal/kernel"
	"github.com/go-op2/op2/internal/kernel/csource"
	"github.com/go-op2/op2/internal/kernel/fromc"
	"github.com/go-op2/op2/internal/kernel/fromgo"
	"github.com/go-op2/op2/internal/userkernel"
)

// goKernel is a kernel in Go.
type goKernel struct {
	name      string
	signature *types.Signature
	files     []string
	source    *fromgo.Package
	file      string
}

// kernel checks the kernel that a call of Source.Func makes.
func (c *checker) kernel(call *ast.CallExpr) { c.kernelOf(call) }

// kernelOf returns the kernel that a call of Source.Func makes; nil if that is not known, or wrong.
func (c *checker) kernelOf(call *ast.CallExpr) *goKernel {
	if k, seen := c.kernels[call]; seen {
		return k
	}
	c.kernels[call] = nil
	k := c.newKernel(call)
	if k == nil {
		return nil
	}
	if _, err := k.source.Kernel(k.name, k.file, 0); err != nil {
		if c.lost {
			return nil
		}
		c.refused(err, k.files, call)
		return nil
	}
	c.kernels[call] = k
	return k
}

// newKernel returns the kernel that a call of Source.Func makes, unchecked.
func (c *checker) newKernel(call *ast.CallExpr) *goKernel {
	function, isFunc := c.object(call.Args[0]).(*types.Func)
	selector, isMethod := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !isFunc || !isMethod || function.Pkg() != c.Pkg || function.Signature().Recv() != nil {
		return nil
	}
	made := c.call(selector.X)
	if made == nil || c.callee(made) != "Kernels" {
		return nil
	}
	k := &goKernel{name: function.Name(), signature: function.Signature(), file: c.Fset.Position(function.Pos()).Filename}
	var texts []string
	for _, a := range made.Args {
		file, text, ok := c.sourceText(a)
		if !ok {
			return nil
		}
		if err := userkernel.NotText("the source", text, ".go"); err != nil {
			c.report(a.Pos(), err.Error())
			return nil
		}
		k.files, texts = append(k.files, file), append(texts, text)
	}
	k.source = fromgo.Parse(texts...).Importing(c.library)
	return k
}

// sourceText returns the text of an argument of Kernels, and the file that it is from.
func (c *checker) sourceText(e ast.Expr) (file, text string, ok bool) {
	if text := c.text(e); text != "" {
		return "", text, true
	}
	obj := c.object(e)
	if files := c.texts[obj]; len(files) == 1 {
		data, err := c.ReadFile(files[0])
		return files[0], string(data), err == nil
	}
	_, set := c.values[obj]
	return "", "", !set && obj != nil && obj.Parent() == c.Pkg.Scope()
}

// refused reports what a front end refuses.
func (c *checker) refused(err error, files []string, call *ast.CallExpr) {
	var refused *kernel.Error
	if !errors.As(err, &refused) {
		c.report(call.Pos(), err.Error())
		return
	}
	for _, p := range refused.Problems {
		c.problem(p, files, call.Pos())
	}
}

// inC checks a kernel in C whose text is a constant. What it reads by name may be a const of the program, or the
// type of its data.
func (c *checker) inC(call *ast.CallExpr) {
	name, text := c.text(call.Args[0]), c.text(call.Args[1])
	if name == "" || text == "" || c.namesType(text) {
		return
	}
	if err := userkernel.NotText("the source", text, ".c"); err != nil {
		c.report(call.Args[1].Pos(), err.Error())
		return
	}
	_, err := fromc.Of(name, csource.Given{File: name + ".c", Text: text}, nil, nil)
	var refused *kernel.Error
	if !errors.As(err, &refused) {
		return
	}
	for _, p := range refused.Problems {
		if strings.HasPrefix(p.Msg, "undefined") { // it may be a const, or the type of data, of another package
			return
		}
	}
	c.refused(err, []string{filepath.Base(name + ".c")}, call)
}

// namesType reports whether a text in C has the name of a type of the package, which the loop would declare for it.
func (c *checker) namesType(text string) bool {
	for _, word := range words.FindAllString(text, -1) {
		if c.types[word] {
			return true
		}
	}
	return false
}

var words = regexp.MustCompile(`\w+`)
