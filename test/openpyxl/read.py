"""Prints the first sheet of a workbook as JSON: its frozen cell, and the cells of each row."""

import json
import sys

from openpyxl import load_workbook
from openpyxl.utils.escape import unescape

sheet = load_workbook(sys.argv[1]).active


def describe(cell):
    if cell.value is None:
        return None
    value = unescape(cell.value) if cell.data_type == "s" else str(cell.value)
    return [cell.data_type, value, cell.font.b]


rows = [[describe(cell) for cell in row] for row in sheet.iter_rows()]
print(json.dumps({"frozen": sheet.freeze_panes, "rows": rows}))
