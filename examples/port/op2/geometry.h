// Area and center of a cell, from its four corners.
inline void geometry(const double **x, double *area, double *center) {
  *area = 0.5 * ((x[2][0] - x[0][0]) * (x[3][1] - x[1][1]) - (x[3][0] - x[1][0]) * (x[2][1] - x[0][1]));
  for (int d = 0; d < 2; d++)
    center[d] = 0.25 * (x[0][d] + x[1][d] + x[2][d] + x[3][d]);
}
