package backend

import "testing"

func TestDeviceOf(t *testing.T) {
	c := Config{Devices: map[string]string{"cuda": "1", "opencl": ""}}
	if c.DeviceOf("cuda") != "1" || c.DeviceOf("opencl") != "" || c.DeviceOf("go") != "" {
		t.Errorf("%+v", c)
	}
	c.Device = "H200"
	if c.DeviceOf("cuda") != "H200" || c.DeviceOf("opencl") != "H200" {
		t.Errorf("%+v", c)
	}
}
