"""Runs ClickHouse in this process: reads a statement in JSON from each line, and writes its rows on a line."""

import json
import sys

import chdb

SETTINGS = "output_format_json_quote_64bit_integers = 1, output_format_json_quote_decimals = 1"

connection = chdb.connect(":memory:")
connection.query(f"SET {SETTINGS}")
for line in sys.stdin:
    try:
        text = str(connection.query(json.loads(line), "JSONCompact"))
        answer = json.loads(text) if text else {"meta": [], "data": []}
        print(json.dumps({"columns": answer["meta"], "rows": answer["data"]}), flush=True)
    except Exception as error:
        print(json.dumps({"error": str(error)}), flush=True)
