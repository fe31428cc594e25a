// The interface of package petsc to PETSc: functions that take pointers to structs and
// return 0 or an error code, whose text op2_message returns. All handles stay here.
#include <petscconf.h>

#define EXPORT __attribute__((visibility("default")))

#if defined(PETSC_USE_COMPLEX) || defined(PETSC_USE_64BIT_INDICES) || !defined(PETSC_USE_REAL_DOUBLE)

// A PETSc with unsuitable number types: only reports which, for a message.
EXPORT int op2_scalars(void)
{
#if defined(PETSC_USE_COMPLEX)
	return 1;
#elif !defined(PETSC_USE_REAL_DOUBLE)
	return 2;
#else
	return 3;
#endif
}

#else

#include <petscksp.h>
#include <petsctime.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define TRY(call) \
	do { \
		PetscErrorCode code_ = (call); \
		if (code_) \
			return (int)code_; \
	} while (0)

EXPORT int op2_scalars(void) { return 0; }

// Returns the calling thread, as a number.
EXPORT uintptr_t op2_thread(void) { return (uintptr_t)pthread_self(); }

// Returns the text of the last error, that of the innermost function.
static char message[1024];

static PetscErrorCode keep_message(MPI_Comm comm, int line, const char *function, const char *file, PetscErrorCode code,
                                   PetscErrorType type, const char *text, void *context)
{
	const char *kind = NULL;
	(void)comm, (void)line, (void)file, (void)context;
	if (type != PETSC_ERROR_INITIAL)
		return code;
	PetscErrorMessage(code, &kind, NULL);
	snprintf(message, sizeof message, "%s%s%s (PETSc error %d in %s)", kind ? kind : "", kind && text && *text ? ": " : "",
	         text ? text : "", (int)code, function ? function : "?");
	return code;
}

EXPORT void op2_message(char *text, int64_t size)
{
	snprintf(text, (size_t)size, "%s", message);
	message[0] = 0;
}

// The communicator of the ranks that PETSc works on, 0 for this process alone, and PETSc's versions.
struct start {
	uintptr_t communicator;
	int64_t rank, size;
	int64_t launched; // whether mpirun or its like has started the process
	int64_t headers[3], library[3];
};

static MPI_Comm communicator_of(uintptr_t handle) { return handle ? (MPI_Comm)handle : MPI_COMM_SELF; }

// Initializes MPI. A program that was not started by mpirun is alone, and must not look for
// others, in networks or shared memory.
static void initialize_mpi(int launched)
{
	static const char *const alone[][2] = {
		{"OMPI_MCA_ess_singleton_isolated", "1"}, {"OMPI_MCA_pml", "ob1"}, {"OMPI_MCA_btl", "self"}, {"OMPI_MCA_osc", "^ucx,rdma"},
		{"OMPI_MCA_orte_create_session_dirs", "0"}, {NULL, NULL}};
	int threads;

	for (int i = 0; !launched && alone[i][0]; i++)
		setenv(alone[i][0], alone[i][1], 0);
	// Goroutines move between threads.
	MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &threads);
}

// Checks that a communicator is one of the MPI library that PETSc calls.
static int check_communicator(const struct start *s, int running)
{
	char name[MPI_MAX_LIBRARY_VERSION_STRING] = "";
	int rank = -1, size = -1, length;

	if (running) {
		MPI_Comm_rank(communicator_of(s->communicator), &rank);
		MPI_Comm_size(communicator_of(s->communicator), &size);
	}
	if (rank == s->rank && size == s->size)
		return 0;
	MPI_Get_library_version(name, &length);
	name[strcspn(name, ",\n")] = 0;
	snprintf(message, sizeof message, "PETSc calls another MPI library than the ranks do: %s", name);
	return -1;
}

// Initializes PETSc, and MPI unless it is running already.
EXPORT int op2_initialize(struct start *s)
{
	static char *arguments[] = {"op2", "-no_signal_handler", NULL};
	char **argv = arguments;
	int argc = 2, running = 0;
	PetscInt major, minor, patch;
	PetscBool initialized;

	MPI_Initialized(&running);
	if (s->communicator)
		TRY(check_communicator(s, running));
	else if (!running)
		initialize_mpi(s->launched != 0);
	MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
	PetscInitialized(&initialized);
	if (!initialized) {
		PETSC_COMM_WORLD = communicator_of(s->communicator);
		TRY(PetscInitialize(&argc, &argv, NULL, NULL));
	}
	TRY(PetscPushErrorHandler(keep_message, NULL));
	TRY(PetscGetVersionNumber(&major, &minor, &patch, NULL));
	s->headers[0] = PETSC_VERSION_MAJOR, s->headers[1] = PETSC_VERSION_MINOR, s->headers[2] = PETSC_VERSION_SUBMINOR;
	s->library[0] = major, s->library[1] = minor, s->library[2] = patch;
	return 0;
}

// The rows of a rank, in PETSc's numbering of those of all ranks.
struct numbering {
	uintptr_t communicator;
	int64_t rows;
	int64_t first, all;
};

EXPORT int op2_number(struct numbering *n)
{
	int64_t before = 0, own = n->rows;
	int rank;

	TRY(MPI_Comm_rank(communicator_of(n->communicator), &rank));
	TRY(MPI_Exscan(&own, &before, 1, MPI_INT64_T, MPI_SUM, communicator_of(n->communicator)));
	TRY(MPI_Allreduce(&own, &n->all, 1, MPI_INT64_T, MPI_SUM, communicator_of(n->communicator)));
	n->first = rank ? before : 0;
	return 0;
}

// The program's functions: y = A x, and the monitor of an iteration's residual norm. They
// return 0 to continue.
typedef int64_t (*apply_function)(int64_t id, const double *x, double *y);
typedef int64_t (*monitor_function)(int64_t id, int64_t iteration, const double *norm);

// A matrix, or a block of one: rows of this rank. Without values it is in memory of PETSc, and columns
// are numbered through all ranks.
struct rows {
	int64_t rows, cols;             // of this rank
	int32_t *row_offsets, *columns; // [rows+1], [nonzeros]; NULL: the block is absent
	double *values;                 // [nonzeros]; or NULL
};

// Vectors of this rank, of a null space or a near null space.
struct space {
	int64_t count;
	const double *vectors; // [count][rows]
};

// A split of the unknowns, for PCFIELDSPLIT.
struct field {
	int64_t first, last; // its parts: [first, last)
	int64_t rows;        // of this rank
	struct space null, near_null;
};

// The description of a solver. Pointers are kept, and what they point to is not copied, except for
// the texts and for a pattern without values.
struct setup {
	int64_t id;             // what the program's functions are called with
	uintptr_t communicator; // of the ranks that have rows; 0: this process alone
	int64_t rows, block;    // rows of this rank
	int64_t blocked;        // the pattern below is one of blocks
	int32_t *row_offsets, *columns; // [rows+1], [nonzeros]; NULL for a matrix-free operator
	double *values;                 // [nonzeros]; NULL: in memory of PETSc, and columns are numbered through all ranks
	double *diagonal; // [rows] of an operator; may be NULL
	apply_function apply;
	monitor_function monitor;
	const char *method, *preconditioner, *prefix, *options;
	double rtol, atol, divtol;
	int64_t iterations, restart, guess;
	int64_t near_null, null, null_transposed; // numbers of vectors in the near null space and the null space; whether the latter is also the transpose's
	const double *near_null_vectors;          // [near_null][rows]
	const double *null_vectors;               // [null][rows]
	// Of a matrix of blocks: the rows of each part on this rank; the blocks, unless the pattern above is
	// that of the whole; the splits; the matrix that a Schur complement is preconditioned with; options
	// that apply if nothing else sets them.
	int64_t parts, splits;
	const int64_t *part_rows;    // [parts]
	const int64_t *part_blocks;  // [parts]: rows that form a block
	const struct rows *blocks;   // [parts][parts]; or NULL
	const struct field *fields;  // [splits]
	const struct rows *schur;    // or NULL
	const char *defaults;
};

struct solver {
	MPI_Comm comm;
	KSP ksp;
	Mat matrix;
	Vec x, b, diagonal;
	int64_t id;
	apply_function apply;
	monitor_function monitor;
	char *prefix, *options, *defaults;
	int parts, matrices, nested;
	Mat *blocks; // [matrices]: of a matrix of blocks, and that of the Schur complement
};

static PetscErrorCode apply_operator(Mat matrix, Vec x, Vec y)
{
	struct solver *s;
	const double *from;
	double *to;
	int64_t stop;

	PetscFunctionBegin;
	PetscCall(MatShellGetContext(matrix, &s));
	PetscCall(VecGetArrayRead(x, &from));
	PetscCall(VecGetArrayWrite(y, &to));
	stop = s->apply(s->id, from, to);
	PetscCall(VecRestoreArrayWrite(y, &to));
	PetscCall(VecRestoreArrayRead(x, &from));
	if (stop)
		SETERRQ(s->comm, PETSC_ERR_USER, "the operator failed");
	PetscFunctionReturn(0);
}

static PetscErrorCode operator_diagonal(Mat matrix, Vec diagonal)
{
	struct solver *s;

	PetscFunctionBegin;
	PetscCall(MatShellGetContext(matrix, &s));
	PetscCall(VecCopy(s->diagonal, diagonal));
	PetscFunctionReturn(0);
}

static PetscErrorCode monitor_residual(KSP ksp, PetscInt iteration, PetscReal norm, void *context)
{
	struct solver *s = context;

	PetscFunctionBegin;
	(void)ksp;
	if (s->monitor(s->id, iteration, &norm))
		SETERRQ(s->comm, PETSC_ERR_USER, "the monitor stopped the iteration");
	PetscFunctionReturn(0);
}

// Calls f with the full name of each option in a list, until f fails.
static int each_option(struct solver *s, const char *list, int (*f)(const char *name, void *context), void *context)
{
	char *text = strdup(list), *next = text, *word;
	int code = 0;

	while (!code && (word = strsep(&next, " "))) {
		char name[512];
		char *digits = word;
		if (word[0] != '-' || !word[1])
			continue;
		strtod(word, &digits); // a value, such as -1
		if (!*digits)
			continue;
		snprintf(name, sizeof name, "-%s%s", s->prefix, word + 1);
		code = f(name, context);
	}
	free(text);
	return code;
}

static int clear_option(const char *name, void *context)
{
	(void)context;
	return (int)PetscOptionsClearValue(NULL, name);
}

// Creates a vector whose values on this rank are in an array that is placed later, unless given.
static int make_vector(struct solver *s, int64_t rows, int64_t block, const double *values, Vec *v)
{
	int size;

	TRY(MPI_Comm_size(s->comm, &size));
	if (size == 1)
		TRY(VecCreateSeqWithArray(s->comm, (PetscInt)block, (PetscInt)rows, values, v));
	else
		TRY(VecCreateMPIWithArray(s->comm, (PetscInt)block, (PetscInt)rows, PETSC_DETERMINE, values, v));
	return 0;
}

// Creates a matrix of zeros in memory of PETSc, which functions for matrices of another type leave
// alone.
static int make_own_matrix(struct solver *s, const struct setup *in)
{
	PetscInt n = (PetscInt)in->rows, block = (PetscInt)in->block;

	TRY(MatCreate(s->comm, &s->matrix));
	TRY(MatSetSizes(s->matrix, n, n, PETSC_DETERMINE, PETSC_DETERMINE));
	TRY(MatSetType(s->matrix, in->blocked ? MATBAIJ : MATAIJ));
	TRY(MatSetOptionsPrefix(s->matrix, s->prefix));
	TRY(MatSetFromOptions(s->matrix)); // among them -mat_type, of which blocked says the same
	TRY(MatSetBlockSize(s->matrix, block));
	TRY(MatSeqAIJSetPreallocationCSR(s->matrix, in->row_offsets, in->columns, NULL));
	TRY(MatMPIAIJSetPreallocationCSR(s->matrix, in->row_offsets, in->columns, NULL));
	TRY(MatSeqBAIJSetPreallocationCSR(s->matrix, block, in->row_offsets, in->columns, NULL));
	TRY(MatMPIBAIJSetPreallocationCSR(s->matrix, block, in->row_offsets, in->columns, NULL));
	return 0;
}

// The values of a matrix on this rank: those in its own columns, and those in other columns, if there
// are others.
struct parts {
	Mat matrices[2];
	PetscBool blocked;
};

static int find_parts(Mat matrix, struct parts *p)
{
	const PetscInt *columns;
	PetscBool is;

	p->matrices[0] = matrix, p->matrices[1] = NULL;
	TRY(PetscObjectTypeCompare((PetscObject)matrix, MATMPIAIJ, &is));
	if (is)
		TRY(MatMPIAIJGetSeqAIJ(matrix, &p->matrices[0], &p->matrices[1], &columns));
	TRY(PetscObjectTypeCompare((PetscObject)matrix, MATMPIBAIJ, &is));
	if (is)
		TRY(MatMPIBAIJGetSeqBAIJ(matrix, &p->matrices[0], &p->matrices[1], &columns));
	TRY(PetscObjectTypeCompare((PetscObject)p->matrices[0], MATSEQBAIJ, &p->blocked));
	return 0;
}

// Finds the values of a matrix in memory of PETSc.
struct values {
	int64_t which; // of the blocks; -1: the matrix
	double *at[2];
	int64_t count[2];
};

EXPORT int op2_solver_values(struct solver *s, struct values *v)
{
	struct parts p;

	TRY(find_parts(v->which < 0 ? s->matrix : s->blocks[v->which], &p));
	for (int i = 0; i < 2 && p.matrices[i]; i++) {
		double *array;
		MatInfo info;
		TRY(p.blocked ? MatSeqBAIJGetArray(p.matrices[i], &array) : MatSeqAIJGetArray(p.matrices[i], &array));
		v->at[i] = array;
		TRY(p.blocked ? MatSeqBAIJRestoreArray(p.matrices[i], &array) : MatSeqAIJRestoreArray(p.matrices[i], &array));
		TRY(MatGetInfo(p.matrices[i], MAT_LOCAL, &info));
		v->count[i] = (int64_t)info.nz_used;
	}
	return 0;
}

// Creates a block, or another matrix beside the solver's.
static int make_rows(struct solver *s, const struct rows *in, Mat *matrix)
{
	PetscInt rows = (PetscInt)in->rows, cols = (PetscInt)in->cols;

	if (in->values) {
		TRY(MatCreateSeqAIJWithArrays(s->comm, rows, cols, in->row_offsets, in->columns, in->values, matrix));
		return 0;
	}
	TRY(MatCreate(s->comm, matrix));
	TRY(MatSetSizes(*matrix, rows, cols, PETSC_DETERMINE, PETSC_DETERMINE));
	TRY(MatSetType(*matrix, MATAIJ));
	TRY(MatSeqAIJSetPreallocationCSR(*matrix, in->row_offsets, in->columns, NULL));
	TRY(MatMPIAIJSetPreallocationCSR(*matrix, in->row_offsets, in->columns, NULL));
	return 0;
}

// Creates a matrix of blocks.
static int make_nest(struct solver *s, const struct setup *in)
{
	PetscInt parts = (PetscInt)in->parts;

	for (int i = 0; i < s->parts * s->parts; i++)
		if (in->blocks[i].row_offsets) {
			TRY(make_rows(s, &in->blocks[i], &s->blocks[i]));
			if (i % (s->parts + 1) == 0)
				TRY(MatSetBlockSize(s->blocks[i], (PetscInt)in->part_blocks[i / s->parts]));
		}
	TRY(MatCreateNest(s->comm, parts, NULL, parts, NULL, s->blocks, &s->matrix));
	return 0;
}

static int make_matrix(struct solver *s, const struct setup *in)
{
	PetscInt n = (PetscInt)in->rows;

	if (in->parts) {
		s->parts = (int)in->parts;
		s->matrices = s->parts * s->parts + 1;
		s->blocks = calloc((size_t)s->matrices, sizeof *s->blocks);
		if (in->schur)
			TRY(make_rows(s, in->schur, &s->blocks[s->matrices - 1]));
	}
	s->nested = in->blocks != NULL;
	if (s->nested)
		return make_nest(s, in);
	if (in->row_offsets && !in->values)
		return make_own_matrix(s, in);
	if (in->row_offsets) {
		TRY(MatCreateSeqAIJWithArrays(s->comm, n, n, in->row_offsets, in->columns, in->values, &s->matrix));
	} else {
		TRY(MatCreateShell(s->comm, n, n, PETSC_DETERMINE, PETSC_DETERMINE, s, &s->matrix));
		TRY(MatShellSetOperation(s->matrix, MATOP_MULT, (void (*)(void))apply_operator));
		if (in->diagonal) {
			TRY(make_vector(s, n, 1, in->diagonal, &s->diagonal));
			TRY(MatShellSetOperation(s->matrix, MATOP_GET_DIAGONAL, (void (*)(void))operator_diagonal));
		}
	}
	TRY(MatSetBlockSize(s->matrix, (PetscInt)in->block));
	return 0;
}

// Creates the space of some vectors. They are copied and orthonormalized; linear
// combinations of previous ones are left out.
static int make_space(struct solver *s, int64_t rows, int64_t block, int64_t given, const double *from, MatNullSpace *space)
{
	Vec *vectors;
	PetscInt many = 0;

	TRY(PetscMalloc1(given, &vectors));
	for (int64_t k = 0; k < given; k++) {
		Vec v;
		double *to, before, norm;
		TRY(VecCreate(s->comm, &v));
		TRY(VecSetSizes(v, (PetscInt)rows, PETSC_DETERMINE));
		TRY(VecSetBlockSize(v, (PetscInt)block));
		TRY(VecSetType(v, VECSTANDARD));
		TRY(VecGetArrayWrite(v, &to));
		memcpy(to, from + k * rows, (size_t)rows * sizeof *to);
		TRY(VecRestoreArrayWrite(v, &to));
		TRY(VecNorm(v, NORM_2, &before));
		for (int again = 0; again < 2; again++) // once would leave rounding errors
			for (PetscInt j = 0; j < many; j++) {
				PetscScalar dot;
				TRY(VecDot(v, vectors[j], &dot));
				TRY(VecAXPY(v, -dot, vectors[j]));
			}
		TRY(VecNorm(v, NORM_2, &norm));
		if (norm <= 1e-10 * before) {
			TRY(VecDestroy(&v));
			continue;
		}
		TRY(VecScale(v, 1 / norm));
		vectors[many++] = v;
	}
	TRY(MatNullSpaceCreate(s->comm, PETSC_FALSE, many, vectors, space));
	for (PetscInt k = 0; k < many; k++)
		TRY(VecDestroy(&vectors[k]));
	TRY(PetscFree(vectors));
	return 0;
}

// Gives PETSc the null space and the near null space of the matrix.
static int set_spaces(struct solver *s, const struct setup *in)
{
	MatNullSpace space;

	if (in->near_null) {
		TRY(make_space(s, in->rows, in->block, in->near_null, in->near_null_vectors, &space));
		TRY(MatSetNearNullSpace(s->matrix, space));
		TRY(MatNullSpaceDestroy(&space));
	}
	if (in->null) {
		TRY(make_space(s, in->rows, in->block, in->null, in->null_vectors, &space));
		TRY(MatSetNullSpace(s->matrix, space));
		if (in->null_transposed)
			TRY(MatSetTransposeNullSpace(s->matrix, space));
		TRY(MatNullSpaceDestroy(&space));
	}
	return 0;
}

static int insert_options(struct solver *s)
{
	int code;

	if (*s->prefix)
		TRY(PetscOptionsPrefixPush(NULL, s->prefix));
	code = (int)PetscOptionsInsertString(NULL, s->options);
	if (*s->prefix)
		TRY(PetscOptionsPrefixPop(NULL));
	return code;
}

// Sets the options that apply if nothing else sets them.
static int insert_defaults(struct solver *s)
{
	char *text = strdup(s->defaults), *kept = calloc(1, strlen(s->defaults) + 1), *next = text, *word, *value;
	int code = 0;

	while (!code && (word = strsep(&next, " ")) && *word && (value = strsep(&next, " "))) {
		char name[512];
		PetscBool set = PETSC_FALSE;
		snprintf(name, sizeof name, "-%s%s", s->prefix, word + 1);
		code = (int)PetscOptionsHasName(NULL, NULL, name, &set);
		if (code || set)
			continue; // the solver's end must not clear it
		code = (int)PetscOptionsSetValue(NULL, name, value);
		strcat(strcat(strcat(strcat(kept, word), " "), value), " ");
	}
	free(text);
	free(s->defaults);
	s->defaults = kept;
	return code;
}

// An option that a solver would have, from its own ones or those of the process; "" if it is not set.
struct option {
	const char *prefix, *options, *name; // the name with a dash
	char value[128];
};

EXPORT int op2_option(struct option *o)
{
	struct solver s = {.prefix = (char *)o->prefix, .options = (char *)o->options};
	PetscBool set;

	o->value[0] = 0;
	TRY(insert_options(&s));
	TRY(PetscOptionsGetString(NULL, o->prefix, o->name, o->value, sizeof o->value, &set));
	return each_option(&s, s.options, clear_option, NULL);
}

// Stops before the first iteration, which most methods run unconditionally.
static PetscErrorCode stop_at_first(KSP ksp, PetscInt iteration, PetscReal norm, KSPConvergedReason *reason, void *context)
{
	PetscFunctionBegin;
	PetscCall(KSPConvergedDefault(ksp, iteration, norm, reason, context));
	if (*reason == KSP_CONVERGED_ITERATING)
		*reason = KSP_DIVERGED_ITS;
	PetscFunctionReturn(0);
}

// Gives a split's rows a space, for its matrix.
static int compose_space(struct solver *s, IS is, const char *name, const struct field *f, const struct space *of, int64_t block)
{
	MatNullSpace space;

	if (!of->count)
		return 0;
	TRY(make_space(s, f->rows, block, of->count, of->vectors, &space));
	TRY(PetscObjectCompose((PetscObject)is, name, (PetscObject)space));
	TRY(MatNullSpaceDestroy(&space));
	return 0;
}

// Tells PETSc the splits, if it is to use them.
static int set_fields(struct solver *s, const struct setup *in, PC pc)
{
	PetscInt begin, at;
	PetscBool splits;
	char name[32];

	TRY(PetscObjectTypeCompare((PetscObject)pc, PCFIELDSPLIT, &splits));
	if (!splits)
		return 0;
	TRY(MatGetOwnershipRange(s->matrix, &begin, NULL));
	for (int64_t k = 0; k < in->splits; k++) {
		const struct field *f = &in->fields[k];
		int64_t block = f->last == f->first + 1 ? in->part_blocks[f->first] : 1;
		IS is;
		at = begin;
		for (int64_t p = 0; p < f->first; p++)
			at += (PetscInt)in->part_rows[p];
		TRY(ISCreateStride(s->comm, (PetscInt)f->rows, at, 1, &is));
		TRY(compose_space(s, is, "nullspace", f, &f->null, block));
		TRY(compose_space(s, is, "nearnullspace", f, &f->near_null, block));
		snprintf(name, sizeof name, "%d", (int)k);
		TRY(PCFieldSplitSetIS(pc, name, is));
		TRY(ISDestroy(&is));
	}
	if (in->schur) {
		TRY(PCFieldSplitSetType(pc, PC_COMPOSITE_SCHUR)); // without which the next call has no effect
		TRY(PCFieldSplitSetSchurPre(pc, PC_FIELDSPLIT_SCHUR_PRE_USER, s->blocks[s->matrices - 1]));
	}
	return 0;
}

// Sets the type of the preconditioner, by its option if that is set: splits are for that type alone.
static int set_type(struct solver *s, const struct setup *in, PC pc)
{
	char type[128];
	PetscBool set;

	TRY(PetscOptionsGetString(NULL, s->prefix, "-pc_type", type, sizeof type, &set));
	TRY(PCSetType(pc, set ? type : in->preconditioner));
	if (in->parts) {
		TRY(PetscOptionsHasName(NULL, s->prefix, "-mat_type", &set)); // of which blocks says the same
		TRY(set_fields(s, in, pc));
	}
	return 0;
}

static int make_solver(struct solver *s, const struct setup *in)
{
	PetscInt most;
	void *test;
	PC pc;

	TRY(insert_options(s));
	TRY(insert_defaults(s));
	TRY(make_matrix(s, in));
	TRY(make_vector(s, in->rows, in->block, NULL, &s->x));
	TRY(make_vector(s, in->rows, in->block, NULL, &s->b));
	TRY(set_spaces(s, in));

	TRY(KSPCreate(s->comm, &s->ksp));
	TRY(KSPSetOptionsPrefix(s->ksp, s->prefix));
	TRY(KSPSetOperators(s->ksp, s->matrix, s->matrix));
	TRY(KSPSetType(s->ksp, in->method));
	TRY(KSPGetPC(s->ksp, &pc));
	TRY(set_type(s, in, pc));
	TRY(KSPSetTolerances(s->ksp, in->rtol, in->atol, in->divtol, (PetscInt)in->iterations));
	TRY(KSPGMRESSetRestart(s->ksp, (PetscInt)in->restart)); // ignored by other methods
	TRY(KSPSetInitialGuessNonzero(s->ksp, in->guess ? PETSC_TRUE : PETSC_FALSE));
	TRY(KSPMonitorSet(s->ksp, monitor_residual, s, NULL));
	TRY(KSPSetFromOptions(s->ksp));
	TRY(KSPGetTolerances(s->ksp, NULL, NULL, NULL, &most));
	if (most == 0) {
		TRY(KSPConvergedDefaultCreate(&test));
		TRY(KSPSetConvergenceTest(s->ksp, stop_at_first, test, KSPConvergedDefaultDestroy));
	}
	return 0;
}

EXPORT int op2_solver_close(struct solver *s)
{
	// Destroy everything, whatever fails.
	int code = KSPDestroy(&s->ksp);
	code |= MatDestroy(&s->matrix);
	for (int i = 0; i < s->matrices; i++)
		code |= MatDestroy(&s->blocks[i]);
	code |= VecDestroy(&s->x);
	code |= VecDestroy(&s->b);
	code |= VecDestroy(&s->diagonal);
	code |= each_option(s, s->options, clear_option, NULL);
	code |= each_option(s, s->defaults, clear_option, NULL);
	free(s->prefix);
	free(s->options);
	free(s->defaults);
	free(s->blocks);
	free(s);
	return code;
}

EXPORT int op2_solver_new(const struct setup *in, struct solver **out)
{
	struct solver *s = calloc(1, sizeof *s);
	int code;

	s->id = in->id;
	s->comm = communicator_of(in->communicator);
	s->apply = in->apply;
	s->monitor = in->monitor;
	s->prefix = strdup(in->prefix);
	s->options = strdup(in->options);
	s->defaults = strdup(in->defaults);
	code = make_solver(s, in);
	if (code) {
		char first[sizeof message];
		memcpy(first, message, sizeof first);
		op2_solver_close(s);
		memcpy(message, first, sizeof first);
		return code;
	}
	*out = s;
	return 0;
}

struct solution {
	const double *b;   // [rows]
	double *x;         // [rows]
	int64_t keep;      // reuse the preconditioner of the last solve
	int64_t symmetric; // the matrix is known to be symmetric

	int64_t iterations, reason;
	char reason_name[64], failure[64]; // failure: of the preconditioner, "" if none
	char unused[512];                  // options that were not used
	double setup;                      // time to build the preconditioner, in seconds
};

// Tells PETSc that the values may have changed, since it may have cached some of them, or of their
// inverses.
static int note_change_of(Mat matrix)
{
	PetscObjectState state;
	struct parts p;

	TRY(find_parts(matrix, &p));
	for (int i = 0; i < 2 && p.matrices[i]; i++) {
		PetscScalar *values;
		if (p.blocked) {
			TRY(MatAssemblyBegin(p.matrices[i], MAT_FINAL_ASSEMBLY));
			TRY(MatAssemblyEnd(p.matrices[i], MAT_FINAL_ASSEMBLY));
			continue;
		}
		TRY(MatSeqAIJGetArray(p.matrices[i], &values));
		TRY(MatSeqAIJRestoreArray(p.matrices[i], &values));
	}
	TRY(PetscObjectStateGet((PetscObject)matrix, &state));
	TRY(PetscObjectStateSet((PetscObject)matrix, state + 1));
	return 0;
}

static int note_change(struct solver *s)
{
	PetscObjectState state;

	for (int i = 0; i < s->matrices; i++)
		if (s->blocks[i])
			TRY(note_change_of(s->blocks[i]));
	if (!s->apply && !s->nested)
		return note_change_of(s->matrix);
	TRY(PetscObjectStateGet((PetscObject)s->matrix, &state));
	TRY(PetscObjectStateSet((PetscObject)s->matrix, state + 1));
	return 0;
}

static int run_solver(struct solver *s, struct solution *io)
{
	PetscInt iterations;
	KSPConvergedReason reason;
	PetscLogDouble begun, ready;
	PC pc;

	TRY(note_change(s));
	TRY(MatSetOption(s->matrix, MAT_SYMMETRIC, io->symmetric ? PETSC_TRUE : PETSC_FALSE));
	TRY(KSPSetReusePreconditioner(s->ksp, io->keep ? PETSC_TRUE : PETSC_FALSE));
	TRY(PetscTime(&begun));
	TRY(KSPSetUp(s->ksp));
	TRY(KSPSetUpOnBlocks(s->ksp));
	TRY(PetscTime(&ready));
	io->setup = ready - begun;
	TRY(KSPSolve(s->ksp, s->b, s->x));
	TRY(KSPGetIterationNumber(s->ksp, &iterations));
	TRY(KSPGetConvergedReason(s->ksp, &reason));
	io->iterations = iterations;
	io->reason = reason;
	snprintf(io->reason_name, sizeof io->reason_name, "%s", KSPConvergedReasons[reason]);
	if (reason == KSP_DIVERGED_PC_FAILED) {
		PCFailedReason failed;
		TRY(KSPGetPC(s->ksp, &pc));
		TRY(PCGetFailedReason(pc, &failed));
		if (failed)
			snprintf(io->failure, sizeof io->failure, "%s", PCFailedReasons[failed]);
	}
	return 0;
}

static int note_unused(const char *name, void *context)
{
	struct solution *io = context;
	PetscBool used = PETSC_TRUE;

	TRY(PetscOptionsUsed(NULL, name + 1, &used)); // without the dash, unlike other functions
	if (!used) {
		size_t length = strlen(io->unused);
		snprintf(io->unused + length, sizeof io->unused - length, "%s%s", length ? " " : "", name);
	}
	return 0;
}

EXPORT int op2_solver_solve(struct solver *s, struct solution *io)
{
	io->failure[0] = io->unused[0] = io->reason_name[0] = 0;
	TRY(VecPlaceArray(s->b, io->b));
	TRY(VecPlaceArray(s->x, io->x));
	int code = run_solver(s, io);
	VecResetArray(s->x);
	VecResetArray(s->b);
	TRY(code);
	return each_option(s, s->options, note_unused, io);
}

// Returns the names of the method and the preconditioner, which options may have changed.
EXPORT int op2_solver_types(struct solver *s, char text[128])
{
	KSPType method;
	PCType preconditioner;
	PC pc;

	TRY(KSPGetType(s->ksp, &method));
	TRY(KSPGetPC(s->ksp, &pc));
	TRY(PCGetType(pc, &preconditioner));
	snprintf(text, 128, "%s + %s", method ? method : "?", preconditioner ? preconditioner : "?");
	return 0;
}

#endif
