/* Frictional impact for C and for everything that calls C: one struct in, one struct out.
 *
 *   routh_problem problem;
 *   routh_problem_init(&problem);            dimension 3, energetic law, everything else zero
 *   ... fill in D, the velocity, friction and restitution ...
 *   routh_result result;
 *   if (routh_impact(&problem, &result) != ROUTH_OK) puts(routh_status_text(result.status));
 *
 * Units are SI. Contact vectors are normal first; a normal velocity below zero approaches. In the plane (dimension 2)
 * the third entry of every contact vector is zero. Nothing here allocates but routh_impact_machine, nothing keeps a
 * pointer, nothing has global state: all functions may be called from several threads at once. No result holds NaN.
 */
#ifndef ROUTH_CAPI_ROUTH_C_H
#define ROUTH_CAPI_ROUTH_C_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum routh_law {
  ROUTH_NEWTON = 0,    /* Routh's increment, ends at v_n = -e v_n(before) */
  ROUTH_POISSON = 1,   /*                    ends at I_n = (1 + e) I_n(compression) */
  ROUTH_ENERGETIC = 2, /*                    ends when the work of restitution is -e^2 that of compression */
  ROUTH_UNIFIED = 3,   /* friction along the mean slip velocity; the only law with a tangential restitution */
  ROUTH_CLASSICAL = 4  /* the textbook: friction along the final slip velocity */
} routh_law;

typedef enum routh_status {
  ROUTH_OK = 0,
  ROUTH_NO_IMPACT = 1,       /* separating or touching: zero impulse is the answer */
  ROUTH_NO_SOLUTION = 2,     /* the law has no answer for this problem */
  ROUTH_UNDEFINED = 3,       /* Newton's law for an impact that begins with v_n = 0 */
  ROUTH_LOCKED = 4,          /* the contact stops; restitution cannot move it */
  ROUTH_ILL_CONDITIONED = 5, /* D is not positive semidefinite, or too nearly singular */
  ROUTH_INVALID = 6,         /* the problem breaks a rule: routh_problem_check says which */
  ROUTH_OVERFLOW = 7,        /* the answer exceeds the range of double */
  ROUTH_NOT_CONVERGED = 8,   /* an iteration gave up; the velocity is the one before */
  ROUTH_BAD_ARGUMENT = 9,  /* a null pointer, a count or law out of range, a matrix that is not symmetric or definite */
  ROUTH_OUT_OF_MEMORY = 10 /* routh_impact_machine only */
} routh_status;

typedef enum routh_mode {
  ROUTH_MODE_NONE = 0,
  ROUTH_MODE_SLIDING = 1,
  ROUTH_MODE_STICK = 2,
  ROUTH_MODE_STICK_IN_COMPRESSION = 3,
  ROUTH_MODE_STICK_IN_RESTITUTION = 4,
  ROUTH_MODE_REVERSE_IN_COMPRESSION = 5,
  ROUTH_MODE_REVERSE_IN_RESTITUTION = 6,
  ROUTH_MODE_MEAN_SLIP_ZERO = 7
} routh_mode;

/* Bits of routh_result.warnings. */
typedef enum routh_warning {
  ROUTH_WARN_ENERGY_GAIN = 1,
  ROUTH_WARN_NON_UNIQUE = 2,
  ROUTH_WARN_ILL_CONDITIONED = 4,
  ROUTH_WARN_RESTITUTION_OUT_OF_RANGE = 8,
  ROUTH_WARN_JAMS_IF_PRESSED = 16,
  ROUTH_WARN_RECOMPRESSION = 32,
  ROUTH_WARN_TANGENTIAL_RESTITUTION_IGNORED = 64,
  ROUTH_WARN_BILATERAL_VELOCITY = 128
} routh_warning;

typedef struct routh_problem {
  int dimension; /* 2 or 3: contact vectors are (normal, tangent) or (normal, tangent 1, tangent 2) */
  routh_law law;
  double delassus[3][3];      /* D = J M^-1 J^T [1/kg]; in the plane the upper left 2 x 2 */
  double velocity[3];         /* before, of one body's contact point relative to the other's [m/s] */
  double surface_velocity[3]; /* of a moving surface such as a belt [m/s] */
  double static_friction;     /* >= kinetic_friction; infinity is allowed */
  double kinetic_friction;
  double restitution;            /* e, 0 to 1 */
  double tangential_restitution; /* e_t, -1 to 1; unified law only */
  int pressed;                   /* not 0: other forces press the bodies together; matters for a normal velocity of 0 */
} routh_problem;

/* change = normal_work + tangential_work + supplied; under the energetic and Poisson laws the first two never sum to
 * more than zero. */
typedef struct routh_energy {
  double normal_work;     /* [J] */
  double tangential_work; /* [J] */
  double supplied;        /* by the moving surface and an external impulse [J] */
  double change;          /* of the kinetic energy [J] */
  int consistent;         /* 1: normal_work + tangential_work <= 0 within rounding */
} routh_energy;

typedef struct routh_result {
  routh_status status;
  routh_mode mode;
  unsigned warnings;  /* bits of routh_warning */
  double velocity[3]; /* after, in the frame of routh_problem.velocity [m/s] */
  double impulse[3];  /* on the body whose velocity was given [N s] */
  routh_energy energy;
} routh_result;

/* A machine at an instant, in its own coordinates; matrices row by row. */
typedef struct routh_machine {
  int coordinates;                /* n, 1 to 4096 */
  const double* mass_matrix;      /* n x n, symmetric positive definite */
  const double* jacobian;         /* 2 x n or 3 x n, as routh_problem.dimension says; normal row first */
  const double* velocity;         /* n */
  int bilateral_rows;             /* m, 0 to 4096: loops and locked joints, A q' = 0 */
  const double* bilateral;        /* m x n, or NULL when m is 0 */
  const double* external_impulse; /* n, or NULL; restitution refers to the velocity before it */
} routh_machine;

/* "0.3.0", the version of the library that runs. */
const char* routh_version(void);

/* Three dimensions, the energetic law, all numbers zero. */
void routh_problem_init(routh_problem* problem);

/* Solves one impact. Returns result->status; the result is filled whatever the status (velocity before and no impulse
 * where there is no answer). True for an answer: ROUTH_OK, ROUTH_NO_IMPACT, ROUTH_LOCKED; see routh_usable. */
routh_status routh_impact(const routh_problem* problem, routh_result* result);

/* Solves `count` impacts one after the other. Returns how many have no usable answer. */
size_t routh_impact_many(const routh_problem* problems, routh_result* results, size_t count);

/* The same from a mass matrix and a Jacobian: `problem` gives dimension, law, surface velocity, friction and
 * restitution; its D and velocity are not read. `velocity_after` (n entries) may be NULL. */
routh_status routh_impact_machine(const routh_machine* machine, const routh_problem* problem, routh_result* result,
                                  double* velocity_after);

/* Writes into `text` which rule the problem breaks, with the value found; an empty text when it breaks none. At most
 * `size` bytes with the closing zero. Returns 1 when the problem is valid, otherwise 0. */
int routh_problem_check(const routh_problem* problem, char* text, size_t size);

/* 1 when a result with this status can be used as an answer. */
int routh_usable(routh_status status);

/* Names as in files and tables ("energetic", "stick_in_compression"), and one sentence about a status. */
const char* routh_law_name(routh_law law);
const char* routh_mode_name(routh_mode mode);
const char* routh_status_name(routh_status status);
const char* routh_status_text(routh_status status);

#ifdef __cplusplus
}
#endif

#endif
