/** The styles of cells by their position in `cellXfs`; 0 is the plain style. */
export const STYLES = { name: 1, date: 2, timestamp: 3, milliseconds: 4 } as const;

/** The numbers of formats that a file defines start here. */
const FIRST_FORMAT = 164;

/** Formats in the order of their styles. */
const FORMATS = ['yyyy-mm-dd', 'yyyy-mm-dd hh:mm:ss', 'yyyy-mm-dd hh:mm:ss.000'];

/** The part of a workbook with its styles; `main` is the namespace of sheets. */
export function printStyles(main: string): string {
  const numbers = FORMATS.map((_, i) => FIRST_FORMAT + i);
  const formats = FORMATS.map((code, i) => `<numFmt numFmtId="${numbers[i]}" formatCode="${code}"/>`);
  const font = '<sz val="11"/><name val="Calibri"/><family val="2"/>';
  const dates = numbers.map(
    (number) =>
      `<xf numFmtId="${number}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
  );
  const styles = [
    '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>',
    '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>',
    ...dates,
  ];
  return [
    `<styleSheet xmlns="${main}"><numFmts count="${formats.length}">${formats.join('')}</numFmts>`,
    `<fonts count="2"><font>${font}</font><font><b/>${font}</font></fonts>`,
    '<fills count="2"><fill><patternFill patternType="none"/></fill>',
    '<fill><patternFill patternType="gray125"/></fill></fills>',
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
    `<cellXfs count="${styles.length}">${styles.join('')}</cellXfs>`,
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
  ].join('');
}
