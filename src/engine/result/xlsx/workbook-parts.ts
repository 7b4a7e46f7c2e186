import { RELATIONS } from './sheet-format.ts';
import { printStyles } from './styles.ts';

/** The part with the rows. */
export const SHEET_PART = 'xl/worksheets/sheet1.xml';

const FORMATS = 'http://schemas.openxmlformats.org';
/** The namespace of sheets. */
export const SHEET_NAMESPACE: string = `${FORMATS}/spreadsheetml/2006/main`;
const RELATION_TYPES = `${FORMATS}/officeDocument/2006/relationships`;
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
export const XML_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** Every part of a workbook with one sheet, except the sheet. */
export function listWorkbookParts(): readonly (readonly [name: string, xml: string])[] {
  return [
    ['[Content_Types].xml', printContentTypes()],
    ['_rels/.rels', printRelations([[RELATIONS.workbook, 'xl/workbook.xml']])],
    [
      'xl/workbook.xml',
      `<workbook xmlns="${SHEET_NAMESPACE}" xmlns:r="${RELATION_TYPES}"><sheets><sheet name="Result" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      printRelations([
        [RELATIONS.sheet, 'worksheets/sheet1.xml'],
        [RELATIONS.styles, 'styles.xml'],
      ]),
    ],
    ['xl/styles.xml', printStyles(SHEET_NAMESPACE)],
  ].map(([name = '', xml = '']) => [name, XML_HEAD + xml]);
}

function printContentTypes(): string {
  const part = (name: string, type: string) =>
    `<Override PartName="/${name}" ContentType="${CONTENT}.${type}+xml"/>`;
  return [
    `<Types xmlns="${FORMATS}/package/2006/content-types">`,
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
    '<Default Extension="xml" ContentType="application/xml"/>',
    part('xl/workbook.xml', 'sheet.main'),
    part(SHEET_PART, 'worksheet'),
    part('xl/styles.xml', 'styles'),
    '</Types>',
  ].join('');
}

function printRelations(relations: readonly (readonly [type: string, target: string])[]): string {
  const listed = relations.map(
    ([type, target], i) =>
      `<Relationship Id="rId${i + 1}" Type="${RELATION_TYPES}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${FORMATS}/package/2006/relationships">${listed.join('')}</Relationships>`;
}
