import { quoteText } from '../../../text/sql-quote.ts';
import type { FileFormat } from '../../contract/connection.ts';

/** The options of `COPY … TO`, in parentheses, for a published file (docs/reference/publishing.md#files). */
export function printCopyOptions(format: FileFormat): string {
  const compression = `COMPRESSION ${quoteText(format.compression)}`;
  if (format.type === 'parquet') return `FORMAT parquet, ${compression}`;
  const { delimiter, nullValue, quote, header } = format;
  const quoting =
    quote === '' ? "QUOTE '', ESCAPE ''" : `QUOTE ${quoteText(quote)}, ESCAPE ${quoteText(quote)}`;
  return [
    'FORMAT csv',
    `DELIMITER ${quoteText(delimiter)}`,
    `NULLSTR ${quoteText(nullValue)}`,
    quoting,
    `HEADER ${header}`,
    compression,
  ].join(', ');
}
