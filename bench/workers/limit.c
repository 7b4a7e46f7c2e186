/* limit FILE MODE SQL [MEMORY_LIMIT]: measures the least work of the engine's C interface to return a result's
   chunks (drain), and to convert them to Arrow arrays (arrow). Prints the figures as one line of JSON. The
   engine ships without its header, so this file declares the functions that it uses. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

typedef uint64_t idx_t;
typedef void *handle;
typedef struct { idx_t column_count, row_count, rows_changed; void *columns; char *message; void *internal; } duckdb_result;

struct ArrowArray {
  int64_t length, null_count, offset, n_buffers, n_children;
  const void **buffers;
  struct ArrowArray **children, *dictionary;
  void (*release)(struct ArrowArray *);
  void *private_data;
};

int duckdb_open(const char *path, handle *database);
int duckdb_connect(handle database, handle *connection);
int duckdb_query(handle connection, const char *sql, duckdb_result *result);
const char *duckdb_result_error(duckdb_result *result);
int duckdb_prepare(handle connection, const char *sql, handle *statement);
int duckdb_execute_prepared_streaming(handle statement, duckdb_result *result);
handle duckdb_fetch_chunk(duckdb_result result);
idx_t duckdb_data_chunk_get_size(handle chunk);
void duckdb_destroy_data_chunk(handle *chunk);
handle duckdb_result_get_arrow_options(duckdb_result *result);
handle duckdb_data_chunk_to_arrow(handle options, handle chunk, struct ArrowArray *array);

static double wall(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static double cpu(struct rusage *usage) {
  getrusage(RUSAGE_SELF, usage);
  return (usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) * 1e3 +
         (usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) / 1e3;
}

static int run(handle connection, const char *sql) {
  duckdb_result result;
  if (!duckdb_query(connection, sql, &result)) return 0;
  fprintf(stderr, "%s\n", duckdb_result_error(&result));
  return 1;
}

int main(int count, char **args) {
  handle database, connection, statement, chunk;
  duckdb_result result;
  struct rusage usage;
  char attach[4096];
  if (count < 4) return 2;
  if (duckdb_open(":memory:", &database) || duckdb_connect(database, &connection)) return 1;
  if (count > 4) {
    snprintf(attach, sizeof attach, "SET memory_limit = '%s'", args[4]);
    if (run(connection, attach)) return 1;
  }
  snprintf(attach, sizeof attach, "ATTACH '%s' AS data (READ_ONLY); USE data", args[1]);
  if (run(connection, attach)) return 1;
  double start = wall(), before = cpu(&usage);
  if (duckdb_prepare(connection, args[3], &statement)) return 1;
  if (duckdb_execute_prepared_streaming(statement, &result)) return 1;
  handle options = strcmp(args[2], "arrow") ? 0 : duckdb_result_get_arrow_options(&result);
  idx_t rows = 0;
  while ((chunk = duckdb_fetch_chunk(result))) {
    idx_t size = duckdb_data_chunk_get_size(chunk);
    rows += size;
    if (options && size) {
      struct ArrowArray array;
      duckdb_data_chunk_to_arrow(options, chunk, &array);
      if (array.release) array.release(&array);
    }
    duckdb_destroy_data_chunk(&chunk);
    if (!size) break;
  }
  double after = cpu(&usage);
  printf("{\"wall\":%.1f,\"cpu\":%.1f,\"peak\":%.1f,\"rows\":%lu}\n", wall() - start, after - before,
         usage.ru_maxrss / 1024.0, (unsigned long)rows);
  return 0;
}
