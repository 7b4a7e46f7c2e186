// Facts of the format of zip archives, for the writer of workbooks here and the reader of src/workspace/spreadsheets.

/** The first four bytes of each record. */
export const SIGNATURES = {
  local: 0x04034b50,
  descriptor: 0x08074b50,
  entry: 0x02014b50,
  end: 0x06054b50,
  end64: 0x06064b50,
  locator64: 0x07064b50,
} as const;

/** The bytes of each record before its names. */
export const SIZES = { local: 30, descriptor: 16, entry: 46, end: 22, end64: 56, locator64: 20 } as const;

export const METHODS = { stored: 0, deflated: 8 } as const;

/** The maximum of bytes that the parts of a workbook have, unpacked. */
export const MAX_UNPACKED = 4_000_000_000;
