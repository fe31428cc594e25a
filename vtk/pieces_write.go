package vtk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/go-op2/op2/internal/vtu"
	"github.com/go-op2/op2/internal/wholefile"
)

// pieceName returns the name of a rank's piece, given the path without extension of the file that lists them.
func pieceName(path string, rank int) string { return fmt.Sprintf("%s_%d.vtu", path, rank) }

// listName returns the path of the file that lists the pieces: with several blocks, one of blocks.
func (w *writer) listName(path string) string {
	if len(w.blocks) > 1 {
		return path + ".vtm"
	}
	return path + pieceExtension
}

// blockName returns the path without extension of a block's pieces.
func (w *writer) blockName(path string, block int) string {
	if len(w.blocks) > 1 {
		return fmt.Sprintf("%s_%d", path, block)
	}
	return path
}

// beginPieces removes a file that lists pieces, before these are replaced: it appears again when all are complete.
func (w *writer) beginPieces(path string) error {
	if err := os.Remove(w.listName(path)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// writePiece writes this rank's piece of a step: of each block.
func (w *writer) writePiece(path string, s *step, fields ...vtu.Array) error {
	if s.points != nil {
		w.move(s.points)
	}
	for i, b := range w.blocks {
		if err := w.writeBlock(pieceName(w.blockName(path, i), w.ranks.Rank()), b, s, fields); err != nil {
			return err
		}
	}
	return nil
}

// writePieces writes the file that lists the pieces of a step.
func (w *writer) writePieces(path string) error {
	var blocks []vtu.Pieces
	for i, b := range w.blocks {
		of := vtu.Pieces{Name: b.name}
		for rank := range w.ranks.Size() {
			of.Files = append(of.Files, pieceName(filepath.Base(w.blockName(path, i)), rank))
		}
		blocks = append(blocks, of)
	}
	return wholefile.Write(w.listName(path), func(out io.Writer) error {
		if len(blocks) > 1 {
			return vtu.WriteBlocksOfPieces(out, blocks)
		}
		return vtu.WritePieces(out, w.written, blocks[0].Files)
	})
}
