// Heat that flows through an edge between two cells.
inline void flux(const double *x1, const double *x2, const double *c1, const double *c2,
                 const double *t1, const double *t2, double *q1, double *q2) {
  double dx = x2[0] - x1[0], dy = x2[1] - x1[1];
  double ex = c2[0] - c1[0], ey = c2[1] - c1[1];
  double f = kappa * sqrt((dx * dx + dy * dy) / (ex * ex + ey * ey)) * (*t1 - *t2);
  *q1 -= f;
  *q2 += f;
}
