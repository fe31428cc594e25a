package jit

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"time"
)

// A record is the content of one cache file:
//
//	offset  size
//	     0     8  magic; the line end in it shows a file that was mangled as text
//	     8     4  format version, little endian like all numbers
//	    12     4  length of the metadata
//	    16    32  key
//	    48     8  length of the payload
//	    56    32  SHA-256 of everything else
//	    88        metadata (JSON), then payload
const (
	magic         = "op2jit\r\n"
	formatVersion = 1

	checksumAt = 56
	headerSize = checksumAt + sha256.Size
)

// metadata describes a record to readers without the inputs of its key.
type metadata struct {
	Name     string    `json:"name"`               // of the unit, or of the compiler
	Compiler string    `json:"compiler,omitempty"` // its path and version line
	Flags    []string  `json:"flags,omitempty"`    // the compiler's arguments
	Checked  time.Time `json:"checked,omitzero"`   // when the compiler last reported its version
}

var (
	errNotARecord = errors.New("not a cache file")
	errOtherKey   = errors.New("a cache file for another key, or of another format version")
	errDamaged    = errors.New("damaged")
)

func encodeRecord(k key, m metadata, payload []byte) ([]byte, error) {
	meta, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	data := make([]byte, 0, headerSize+len(meta)+len(payload))
	data = append(data, magic...)
	data = binary.LittleEndian.AppendUint32(data, formatVersion)
	data = binary.LittleEndian.AppendUint32(data, uint32(len(meta)))
	data = append(data, k[:]...)
	data = binary.LittleEndian.AppendUint64(data, uint64(len(payload)))
	data = append(data, make([]byte, sha256.Size)...)
	data = append(data, meta...)
	data = append(data, payload...)
	sum := recordChecksum(data)
	copy(data[checksumAt:], sum[:])
	return data, nil
}

// decodeRecord verifies data and returns its parts; the payload is a slice of data, not a copy.
func decodeRecord(data []byte) (k key, m metadata, payload []byte, err error) {
	if len(data) < headerSize || !bytes.HasPrefix(data, []byte(magic)) {
		return k, m, nil, errNotARecord
	}
	if binary.LittleEndian.Uint32(data[8:]) != formatVersion {
		return k, m, nil, errOtherKey
	}
	body := data[headerSize:]
	metaLength := uint64(binary.LittleEndian.Uint32(data[12:]))
	payloadLength := binary.LittleEndian.Uint64(data[48:])
	if metaLength > uint64(len(body)) || payloadLength != uint64(len(body))-metaLength {
		return k, m, nil, errDamaged
	}
	if recordChecksum(data) != [sha256.Size]byte(data[checksumAt:headerSize]) {
		return k, m, nil, errDamaged
	}
	if err := json.Unmarshal(body[:metaLength], &m); err != nil {
		return k, m, nil, errDamaged
	}
	copy(k[:], data[16:])
	return k, m, body[metaLength:], nil
}

func recordChecksum(data []byte) (sum [sha256.Size]byte) {
	h := sha256.New()
	h.Write(data[:checksumAt])
	h.Write(data[headerSize:])
	h.Sum(sum[:0])
	return sum
}
