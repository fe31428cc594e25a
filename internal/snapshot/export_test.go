package snapshot

// Rewrite makes the index of a checkpoint one of another version of the format.
func Rewrite(f Folder, number, version int) error {
	x, err := f.Index(number)
	if err != nil {
		return err
	}
	x.Version = version
	return f.write(number, x)
}
