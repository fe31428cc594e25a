// plate computes how a heater warms a plate in air: a program for OP2, to be ported.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

double kappa, transfer, air, heater, dt;

#include "op_seq.h"

#include "boundary.h"
#include "flux.h"
#include "geometry.h"
#include "update.h"

int main(int argc, char **argv) {
  op_init(argc, argv, 2);
  int nx = 60, ny = 40, nnode = (nx + 1) * (ny + 1), ncell = nx * ny;
  int nedge = (nx - 1) * ny + nx * (ny - 1), nbedge = 2 * (nx + ny);

  double *x = (double *)malloc(2 * nnode * sizeof(double));
  for (int j = 0; j <= ny; j++)
    for (int i = 0; i <= nx; i++) { // cells of different sizes
      x[2 * (j * (nx + 1) + i)] = 3.0 * i / nx + 0.01 * sin(9.0 * j);
      x[2 * (j * (nx + 1) + i) + 1] = 2.0 * j / ny + 0.01 * sin(7.0 * i);
    }
  int *cell = (int *)malloc(4 * ncell * sizeof(int)), *edge = (int *)malloc(2 * nedge * sizeof(int)),
      *ecell = (int *)malloc(2 * nedge * sizeof(int)), *bedge = (int *)malloc(2 * nbedge * sizeof(int)),
      *becell = (int *)malloc(nbedge * sizeof(int)), *bound = (int *)malloc(nbedge * sizeof(int));
  int e = 0, b = 0;
  for (int j = 0; j < ny; j++)
    for (int i = 0; i < nx; i++) {
      int c = j * nx + i, n = j * (nx + 1) + i;
      cell[4 * c] = n, cell[4 * c + 1] = n + 1, cell[4 * c + 2] = n + nx + 2, cell[4 * c + 3] = n + nx + 1;
      if (i > 0)
        edge[2 * e] = n, edge[2 * e + 1] = n + nx + 1, ecell[2 * e] = c - 1, ecell[2 * e + 1] = c, e++;
      if (j > 0)
        edge[2 * e] = n, edge[2 * e + 1] = n + 1, ecell[2 * e] = c - nx, ecell[2 * e + 1] = c, e++;
      if (i == 0)
        bedge[2 * b] = n, bedge[2 * b + 1] = n + nx + 1, becell[b] = c, bound[b] = 1, b++;
      if (i == nx - 1)
        bedge[2 * b] = n + 1, bedge[2 * b + 1] = n + nx + 2, becell[b] = c, bound[b] = 1, b++;
      if (j == 0)
        bedge[2 * b] = n, bedge[2 * b + 1] = n + 1, becell[b] = c, bound[b] = 2, b++;
      if (j == ny - 1)
        bedge[2 * b] = n + nx + 1, bedge[2 * b + 1] = n + nx + 2, becell[b] = c, bound[b] = 1, b++;
    }

  op_set nodes = op_decl_set(nnode, "nodes");
  op_set edges = op_decl_set(nedge, "edges");
  op_set bedges = op_decl_set(nbedge, "bedges");
  op_set cells = op_decl_set(ncell, "cells");
  op_map pcell = op_decl_map(cells, nodes, 4, cell, "pcell");
  op_map pedge = op_decl_map(edges, nodes, 2, edge, "pedge");
  op_map pecell = op_decl_map(edges, cells, 2, ecell, "pecell");
  op_map pbedge = op_decl_map(bedges, nodes, 2, bedge, "pbedge");
  op_map pbecell = op_decl_map(bedges, cells, 1, becell, "pbecell");

  double *zeros = (double *)calloc(2 * ncell, sizeof(double)), *start = (double *)malloc(ncell * sizeof(double));
  for (int i = 0; i < ncell; i++)
    start[i] = 20.0;
  op_dat p_x = op_decl_dat(nodes, 2, "double", x, "p_x");
  op_dat p_bound = op_decl_dat(bedges, 1, "int", bound, "p_bound");
  op_dat p_area = op_decl_dat(cells, 1, "double", zeros, "p_area");
  op_dat p_center = op_decl_dat(cells, 2, "double", zeros, "p_center");
  op_dat p_t = op_decl_dat(cells, 1, "double", start, "p_t");
  op_dat p_q = op_decl_dat(cells, 1, "double", zeros, "p_q");

  kappa = 1.0, transfer = 0.5, air = 20.0, heater = 100.0, dt = 4e-4;
  op_decl_const(1, "double", &kappa);
  op_decl_const(1, "double", &transfer);
  op_decl_const(1, "double", &air);
  op_decl_const(1, "double", &heater);
  op_decl_const(1, "double", &dt);

  op_par_loop(geometry, "geometry", cells,
              op_arg_dat(p_x, -4, pcell, 2, "double", OP_READ),
              op_arg_dat(p_area, -1, OP_ID, 1, "double", OP_WRITE),
              op_arg_dat(p_center, -1, OP_ID, 2, "double", OP_WRITE));
  for (int step = 1; step <= 1000; step++) {
    op_par_loop(flux, "flux", edges,
                op_arg_dat(p_x, 0, pedge, 2, "double", OP_READ),
                op_arg_dat(p_x, 1, pedge, 2, "double", OP_READ),
                op_arg_dat(p_center, 0, pecell, 2, "double", OP_READ),
                op_arg_dat(p_center, 1, pecell, 2, "double", OP_READ),
                op_arg_dat(p_t, 0, pecell, 1, "double", OP_READ),
                op_arg_dat(p_t, 1, pecell, 1, "double", OP_READ),
                op_arg_dat(p_q, 0, pecell, 1, "double", OP_INC),
                op_arg_dat(p_q, 1, pecell, 1, "double", OP_INC));
    op_par_loop(boundary, "boundary", bedges,
                op_arg_dat(p_x, 0, pbedge, 2, "double", OP_READ),
                op_arg_dat(p_x, 1, pbedge, 2, "double", OP_READ),
                op_arg_dat(p_t, 0, pbecell, 1, "double", OP_READ),
                op_arg_dat(p_q, 0, pbecell, 1, "double", OP_INC),
                op_arg_dat(p_bound, -1, OP_ID, 1, "int", OP_READ));
    double sum = 0.0, most = 0.0;
    op_par_loop(update, "update", cells,
                op_arg_dat(p_area, -1, OP_ID, 1, "double", OP_READ),
                op_arg_dat(p_q, -1, OP_ID, 1, "double", OP_RW),
                op_arg_dat(p_t, -1, OP_ID, 1, "double", OP_RW),
                op_arg_gbl(&sum, 1, "double", OP_INC),
                op_arg_gbl(&most, 1, "double", OP_MAX));
    if (step % 200 == 0)
      op_printf("%6d %10.6f %14.6e\n", step, most, sqrt(sum / ncell));
  }
  op_print_dat_to_txtfile(p_t, "t.txt");
  op_exit();
}
