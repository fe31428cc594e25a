/* The functions of libcusparse.so.12 that internal/cuda/cusparse calls, on host memory. The values of
   enumerations are those of cusparse.h and library_types.h. Invalid calls are also
   reported in fake_wrong. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOT_INITIALIZED = 1, ALLOC_FAILED = 2, INVALID_VALUE = 3, NOT_SUPPORTED = 10 };
enum { CUDA_R_32F = 0, CUDA_R_64F = 1, INDEX_32I = 2, CSR_ALG1 = 2, CSR_ALG2 = 3 };

struct handle { void *stream; };
struct matrix { int64_t rows, cols, nonzeros; int32_t *first, *column; void *values; int type; char *active; };
struct vector { int64_t size; void *values; int type; };

/* Numbers of live objects. */
long fake_handles, fake_matrices, fake_vectors;
/* Numbers of calls. */
long fake_products, fake_preprocessed, fake_pointers;
long fake_algorithm, fake_stream;
char fake_wrong[256];
/* The next call of this name fails with this code. */
char fake_failing[64];
long fake_code;

#define FAIL(name) do { if (!strcmp(fake_failing, name)) { fake_failing[0] = 0; return (int)fake_code; } } while (0)
#define CHECK(condition) do { if (!(condition)) { snprintf(fake_wrong, sizeof fake_wrong, "%s: not %s", __func__, #condition); return INVALID_VALUE; } } while (0)

int cusparseCreate(struct handle **h) { FAIL("cusparseCreate"); *h = calloc(1, sizeof **h); fake_handles++; return 0; }
int cusparseDestroy(struct handle *h) { CHECK(h); free(h); fake_handles--; return 0; }
int cusparseSetStream(struct handle *h, void *stream) {
	FAIL("cusparseSetStream");
	CHECK(h);
	h->stream = stream;
	fake_stream = (long)stream;
	return 0;
}
int cusparseGetProperty(int property, int *value) { CHECK(property >= 0 && property <= 2); *value = (int[]){12, 5, 10}[property]; return 0; }
const char *cusparseGetErrorName(int status) {
	switch (status) {
	case NOT_INITIALIZED: return "CUSPARSE_STATUS_NOT_INITIALIZED";
	case ALLOC_FAILED: return "CUSPARSE_STATUS_ALLOC_FAILED";
	case INVALID_VALUE: return "CUSPARSE_STATUS_INVALID_VALUE";
	case NOT_SUPPORTED: return "CUSPARSE_STATUS_NOT_SUPPORTED";
	}
	return "unrecognized error code";
}
int cusparseCreateCsr(struct matrix **m, int64_t rows, int64_t cols, int64_t nonzeros, void *first, void *column, void *values,
	int firstType, int columnType, int base, int type) {
	FAIL("cusparseCreateCsr");
	CHECK(firstType == INDEX_32I && columnType == INDEX_32I && base == 0);
	CHECK(type == CUDA_R_32F || type == CUDA_R_64F);
	CHECK(rows > 0 && cols > 0 && nonzeros > 0 && nonzeros <= rows * cols && first && column && values);
	*m = malloc(sizeof **m);
	**m = (struct matrix){rows, cols, nonzeros, first, column, values, type, 0};
	fake_matrices++;
	return 0;
}
int cusparseCsrSetPointers(struct matrix *m, void *first, void *column, void *values) {
	CHECK(first == m->first && column == m->column && values);
	m->values = values;
	fake_pointers++;
	return 0;
}
int cusparseDestroySpMat(struct matrix *m) { CHECK(m); free(m); fake_matrices--; return 0; }
int cusparseCreateDnVec(struct vector **v, int64_t size, void *values, int type) {
	FAIL("cusparseCreateDnVec");
	CHECK(size > 0 && values && (type == CUDA_R_32F || type == CUDA_R_64F));
	*v = malloc(sizeof **v);
	**v = (struct vector){size, values, type};
	fake_vectors++;
	return 0;
}
int cusparseDnVecSetValues(struct vector *v, void *values) { CHECK(v && values); v->values = values; fake_pointers++; return 0; }
int cusparseDestroyDnVec(struct vector *v) { CHECK(v); free(v); fake_vectors--; return 0; }

static int check(struct handle *h, int operation, const void *alpha, struct matrix *a, struct vector *x, const void *beta, struct vector *y, int type, int algorithm) {
	CHECK(h && a && x && y);
	CHECK(operation == 0);
	CHECK(type == a->type && type == x->type && type == y->type);
	CHECK(x->size == a->cols && y->size == a->rows);
	CHECK(algorithm == CSR_ALG1 || algorithm == CSR_ALG2);
	CHECK(type == CUDA_R_64F ? *(double *)alpha == 1 && *(double *)beta == 0 : *(float *)alpha == 1 && *(float *)beta == 0);
	CHECK(a->first[0] == 0 && a->first[a->rows] == a->nonzeros);
	fake_algorithm = algorithm;
	return 0;
}

#define WORKSPACE 96
int cusparseSpMV_bufferSize(struct handle *h, int operation, const void *alpha, struct matrix *a, struct vector *x, const void *beta, struct vector *y,
	int type, int algorithm, size_t *size) {
	FAIL("cusparseSpMV_bufferSize");
	*size = WORKSPACE;
	return check(h, operation, alpha, a, x, beta, y, type, algorithm);
}
#ifndef OLD
int cusparseSpMV_preprocess(struct handle *h, int operation, const void *alpha, struct matrix *a, struct vector *x, const void *beta, struct vector *y,
	int type, int algorithm, void *workspace) {
	FAIL("cusparseSpMV_preprocess");
	CHECK(workspace);
	memset(workspace, 0x42, WORKSPACE);
	a->active = workspace;
	fake_preprocessed++;
	return check(h, operation, alpha, a, x, beta, y, type, algorithm);
}
#endif
int cusparseSpMV(struct handle *h, int operation, const void *alpha, struct matrix *a, struct vector *x, const void *beta, struct vector *y,
	int type, int algorithm, void *workspace) {
	FAIL("cusparseSpMV");
	int status = check(h, operation, alpha, a, x, beta, y, type, algorithm);
	if (status)
		return status;
	CHECK(workspace);
	CHECK(!a->active || workspace == a->active && a->active[0] == 0x42 && a->active[WORKSPACE - 1] == 0x42);
	fake_products++;
	for (int64_t r = 0; r < a->rows; r++) {
		double sum = 0;
		for (int32_t k = a->first[r]; k < a->first[r + 1]; k++) {
			CHECK(a->column[k] >= 0 && a->column[k] < a->cols);
			if (type == CUDA_R_64F)
				sum += ((double *)a->values)[k] * ((double *)x->values)[a->column[k]];
			else
				sum += ((float *)a->values)[k] * ((float *)x->values)[a->column[k]];
		}
		if (type == CUDA_R_64F)
			((double *)y->values)[r] = sum;
		else
			((float *)y->values)[r] = (float)sum;
	}
	return 0;
}
