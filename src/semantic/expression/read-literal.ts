import { present } from '../../invariants/must.ts';
import { trimCharacter } from '../../text/trim-character.ts';
import { findDay, findDayStart, fromLocal, type Moment, printDay, printMoment } from '../model/local-time.ts';
import type { ValueType } from '../model/model.ts';
import type { Literal } from '../sql/nodes.ts';

/** The maximum precision of decimals on all platforms. */
const MAX_DIGITS = 38;
const FIRST_DAY = Date.parse('0001-01-01T00:00:00Z');
const LAST_DAY = Date.UTC(9999, 11, 31);
const DATETIME =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?(Z|[+-]\d{2}:?\d{2})?$/i;

/**
 * Parses a caller's value as a type; null if it is not a value of the type. A DATETIME without an offset is in
 * `timezone`; the literal is in UTC.
 */
export function readLiteral(type: ValueType, value: string, timezone: string): Literal | null {
  return READERS[type](value, timezone);
}

type Read = (value: string, timezone: string) => Literal | null;

const readDecimal: Read = (value) => {
  const match = /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(value);
  if (match === null) return null;
  const [, sign, whole = '', fraction = ''] = match;
  const digits = whole.replace(/^0+/, '');
  const decimals = trimCharacter(fraction, '0');
  if (whole + fraction === '' || digits.length + decimals.length > MAX_DIGITS) return null;
  const text = `${digits === '' ? '0' : digits}${decimals === '' ? '' : `.${decimals}`}`;
  return { kind: 'literal', type: 'number', text: sign === '-' && text !== '0' ? `-${text}` : text };
};

const READERS: Readonly<Record<ValueType, Read>> = {
  TEXT: (value) => (value.includes('\0') || !value.isWellFormed() ? null : create('text', value)),
  INTEGER: (value) => (/^[+-]?\d+$/.test(value) ? readDecimal(value, '') : null),
  NUMBER: readDecimal,
  DECIMAL: readDecimal,
  FLOAT: (value) => {
    if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(value)) return null;
    const number = Number(value);
    return Number.isFinite(number) ? create('float', printFloat(number)) : null;
  },
  BOOLEAN: (value) => (/^(?:true|false)$/i.test(value) ? create('boolean', value.toLowerCase()) : null),
  DATE: (value) => (findDay(value) === null ? null : create('date', value)),
  DATETIME: (value, timezone) => {
    const day = findDay(value);
    if (day !== null) return toDayStart(day, timezone);
    return readTime(value, timezone);
  },
  TIMESTAMP: (value) => {
    const time = /(?:Z|[+-]\d{2}:?\d{2})$/i.test(value) ? null : readTime(value, 'UTC');
    return time && create('local', time.text);
  },
};

function create(type: Literal['type'], text: string): Literal {
  return { kind: 'literal', type, text };
}

/** Always prints an exponent, so that the literal is floating-point. */
function printFloat(number: number): string {
  const text = String(number);
  return text.includes('e') ? text.replace('e+', 'e') : `${text}e0`;
}

function readTime(value: string, timezone: string): Literal | null {
  const match = DATETIME.exec(value);
  if (match === null) return null;
  const [, date, hour, minute, second = '0', fraction = '', offset] = match;
  const day = findDay(present(date));
  const [hours, minutes, seconds] = [Number(hour), Number(minute), Number(second)];
  if (day === null || hours > 23 || minutes > 59 || seconds > 59) return null;
  const digits = fraction.padEnd(6, '0');
  const ms = day + ((hours * 60 + minutes) * 60 + seconds) * 1000 + Number(digits.slice(0, 3));
  const micros = Number(digits.slice(3));
  if (offset === undefined) return toTimestamp({ ms, micros }, timezone);
  const ahead = readOffset(offset);
  return ahead === null ? null : toTimestamp({ ms: ms - ahead, micros }, 'UTC');
}

function readOffset(text: string): number | null {
  if (/^z$/i.test(text)) return 0;
  const digits = text.replace(':', '');
  const [hours, minutes] = [Number(digits.slice(1, 3)), Number(digits.slice(3))];
  if (hours > 18 || minutes > 59) return null;
  return (hours * 60 + minutes) * 60_000 * (text.startsWith('-') ? -1 : 1);
}

/** Converts midnight in UTC to a date; null outside the years 1 to 9999. */
export function toDate(ms: number): Literal | null {
  return ms >= FIRST_DAY && ms <= LAST_DAY ? create('date', printDay(ms)) : null;
}

/** Converts the local time of a time zone to UTC; null outside the years 1 to 9999. */
function toTimestamp({ ms, micros }: Moment, timezone: string): Literal | null {
  return toTime('timestamp', { ms: fromLocal(ms, timezone), micros });
}

/** The first moment of a day, given as its midnight in UTC; null outside the years 1 to 9999. */
export function toDayStart(day: number, timezone: string): Literal | null {
  return toTime('timestamp', { ms: findDayStart(day, timezone), micros: 0 });
}

/** A DATETIME in UTC (`timestamp`), or a TIMESTAMP (`local`); null outside the years 1 to 9999. */
export function toTime(type: 'timestamp' | 'local', moment: Moment): Literal | null {
  const year = new Date(moment.ms).getUTCFullYear();
  return year >= 1 && year <= 9999 ? create(type, printMoment(moment)) : null;
}

/** The last DATETIME that every platform supports. */
export function findLastMoment(): Literal {
  return create('timestamp', '9999-12-31 23:59:59.999999');
}
