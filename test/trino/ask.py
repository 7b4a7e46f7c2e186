"""Asks a node at a port of this machine one question, as soon as it answers."""

import sys
import time

import trino

QUESTION = """
WITH sold AS (
  SELECT n.name, o.orderdate, row_number() OVER (PARTITION BY n.name ORDER BY o.orderdate NULLS LAST) AS place
  FROM tpch.tiny.orders AS o
  LEFT JOIN (SELECT DISTINCT custkey, nationkey FROM tpch.tiny.customer) AS c ON c.custkey = o.custkey
  LEFT JOIN tpch.tiny.nation AS n ON n.nationkey = c.nationkey
  WHERE o.totalprice > 1.5
)
SELECT name, count(DISTINCT orderdate), max(CASE WHEN place = 1 THEN orderdate END) FROM sold GROUP BY 1
UNION ALL
SELECT name, NULL, NULL FROM tpch.tiny.region
ORDER BY 1 DESC NULLS LAST LIMIT 20
"""

while True:
    try:
        cursor = trino.dbapi.connect(host="127.0.0.1", port=int(sys.argv[1]), user="archive").cursor()
        cursor.execute(QUESTION)
        cursor.fetchall()
        break
    except (trino.exceptions.Error, OSError):
        time.sleep(1)
