#include <vector>
#include <cmath>
#include "vectors.h"

extern double gam, unregistered;

inline void move(const double *speed, double *x, double *longest) {
  vec at, by;
  at.x = x[0]; at.y = x[1];
  by.x = speed[0]; by.y = speed[1];
  add(at, by, gam);
  double moved[dims] = { at.x, at.y };
  for (int d = 0; d < dims; d++)
    x[d] = moved[d];
  *longest = std::max(*longest, std::sqrt(double(at.x * at.x + at.y * at.y)));
}

inline void deal(const int *n, const int *parts, int *of) { *of = share(*n, *parts); }

inline void other(double *x) { *x = unregistered * limit; }

std::vector<double> values;
