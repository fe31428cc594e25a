// Heat that goes to the air through an edge of the boundary, or comes from a heater.
inline void boundary(const double *x1, const double *x2, const double *t, double *q, const int *kind) {
  double dx = x2[0] - x1[0], dy = x2[1] - x1[1];
  double length = sqrt(dx * dx + dy * dy);
  if (*kind == 1)
    *q -= transfer * length * (*t - air);
  else
    *q += heater * length;
}
