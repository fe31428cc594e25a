// A time step in one cell.
inline void update(const double *area, double *q, double *t, double *sum, double *most) {
  double change = dt * *q / *area;
  *t += change;
  *q = 0.0;
  *sum += change * change;
  *most = fmax(*most, *t);
}
