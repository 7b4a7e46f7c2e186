"""trino-client PORT TEXT: drains a query with Trino's Python client, set as fast as it goes; prints its figures."""

import json
import resource
import sys
import time

import trino

port, text = sys.argv[1:]
start = time.perf_counter()
connection = trino.dbapi.connect(
    host="127.0.0.1",
    port=int(port),
    user="bench",
    legacy_primitive_types=True,
    encoding=None,
    http_headers={"Accept-Encoding": "identity"},
)
cursor = connection.cursor()
cursor.execute(text)
rows = 0
while batch := cursor.fetchmany(10_000):
    rows += len(batch)
used = resource.getrusage(resource.RUSAGE_SELF)
figures = {
    "wall": (time.perf_counter() - start) * 1000,
    "cpu": (used.ru_utime + used.ru_stime) * 1000,
    "peak": used.ru_maxrss / 1024,
    "rows": rows,
}
print(json.dumps(figures))
