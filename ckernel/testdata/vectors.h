#pragma once

struct vec { double x, y; };

const int dims = 2;

inline void add(vec &to, const vec &v, const double &factor) {
  to.x += factor * v.x;
  to.y += factor * v.y;
}

inline int share(int n, int parts) { return n / parts; }
