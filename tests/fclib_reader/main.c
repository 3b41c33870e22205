/* Reads a contact problem with FCLIB's own reader and says how far the solution in the file is from solving it. Linked with libfclib
 * alone: what Clarke writes must be readable without Clarke.
 *
 *   fclib_reader global|local FILE        prints "kind velocities contacts bilateral momentum velocity joint feasibility"
 *
 *   momentum      max |M v - H r - G l - f| / max |f|
 *   velocity      max |u - H'v - w| / speed             or, of a local problem, |u - W r - V l - q|
 *   joint         max |G'v + b| / speed                 or |V'r + R l + s|
 *                 speed: max |u| or of what acts on it, |w| or |q|
 *   feasibility   max over contacts of |r_t| - mu r_n, in units of max |r|
 */
#include <fclib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* y += factor A x, or with the transpose. */
static void add_product(const struct fclib_matrix *a, int transpose, double factor, const double *x, double *y) {
  if (a->nz >= 0) {
    for (int k = 0; k < a->nz; ++k)
      y[transpose ? a->i[k] : a->p[k]] += factor * a->x[k] * x[transpose ? a->p[k] : a->i[k]];
    return;
  }
  const int lists = a->nz == -1 ? a->n : a->m;
  for (int j = 0; j < lists; ++j)
    for (int k = a->p[j]; k < a->p[j + 1]; ++k) {
      const int row = a->nz == -1 ? a->i[k] : j, column = a->nz == -1 ? j : a->i[k];
      y[transpose ? column : row] += factor * a->x[k] * x[transpose ? row : column];
    }
}

static double largest(const double *x, int n) {
  double most = 0;
  for (int i = 0; i < n; ++i)
    if (!(fabs(x[i]) <= most)) most = fabs(x[i]);
  return most;
}

static double *copy_of(const double *x, int n, double factor) {
  double *y = calloc((size_t)(n > 0 ? n : 1), sizeof *y);
  for (int i = 0; i < n; ++i) y[i] = factor * x[i];
  return y;
}

static double relative(double *x, int n, double scale) {
  const double most = largest(x, n);
  free(x);
  return scale > 0 ? most / scale : most;
}

static double infeasibility(const double *r, const double *mu, int contacts) {
  double most = 0;
  for (int i = 0; i < contacts; ++i) {
    const double excess = hypot(r[3 * i + 1], r[3 * i + 2]) - mu[i] * r[3 * i];
    if (!(excess <= most)) most = excess;
  }
  const double scale = largest(r, 3 * contacts);
  return scale > 0 ? most / scale : most;
}

static int read_global(const struct fclib_global *p, const struct fclib_solution *s) {
  const int nv = p->M->n, rows = p->H->n, nl = p->G ? p->G->n : 0;
  double *momentum = copy_of(p->f, nv, -1), *velocity = copy_of(p->w, rows, 1), *joint = copy_of(p->b, nl, 1);
  const double force = largest(p->f, nv), speed = fmax(largest(s->u, rows), largest(p->w, rows));
  add_product(p->M, 0, 1, s->v, momentum);
  add_product(p->H, 0, -1, s->r, momentum);
  add_product(p->H, 1, 1, s->v, velocity);
  for (int i = 0; i < rows; ++i) velocity[i] -= s->u[i];
  if (nl > 0) {
    add_product(p->G, 0, -1, s->l, momentum);
    add_product(p->G, 1, 1, s->v, joint);
  }
  printf("global %d %d %d %.3e %.3e %.3e %.3e\n", nv, rows / 3, nl, relative(momentum, nv, force),
         relative(velocity, rows, speed), relative(joint, nl, speed), infeasibility(s->r, p->mu, rows / 3));
  return 0;
}

static int read_local(const struct fclib_local *p, const struct fclib_solution *s) {
  const int rows = p->W->n, nl = p->R ? p->R->n : 0;
  double *velocity = copy_of(p->q, rows, 1), *joint = copy_of(p->s, nl, 1);
  const double speed = fmax(largest(s->u, rows), largest(p->q, rows));
  add_product(p->W, 0, 1, s->r, velocity);
  if (nl > 0) {
    add_product(p->V, 0, 1, s->l, velocity);
    add_product(p->V, 1, 1, s->r, joint);
    add_product(p->R, 0, 1, s->l, joint);
  }
  for (int i = 0; i < rows; ++i) velocity[i] -= s->u[i];
  printf("local 0 %d %d 0 %.3e %.3e %.3e\n", rows / 3, nl, relative(velocity, rows, speed), relative(joint, nl, speed),
         infeasibility(s->r, p->mu, rows / 3));
  return 0;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: fclib_reader global|local FILE\n");
    return 2;
  }
  const int global = argv[1][0] == 'g';
  struct fclib_global *g = global ? fclib_read_global(argv[2]) : NULL;
  struct fclib_local *l = global ? NULL : fclib_read_local(argv[2]);
  struct fclib_solution *s = fclib_read_solution(argv[2]);
  if ((global && !g) || (!global && !l) || !s || !s->r || !s->u || (global && !s->v)) {
    fprintf(stderr, "fclib_reader: %s: FCLIB cannot read the problem and its solution\n", argv[2]);
    return 1;
  }
  return global ? read_global(g, s) : read_local(l, s);
}
