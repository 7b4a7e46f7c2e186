import type { LexicalRules } from '../../../text/lexical-rules.ts';
import {
  describeQuotedParam,
  findPublicationParams,
  findQuotedParams,
} from '../../evaluate/quoted-params.ts';
import type { ParamReference } from '../../params/param-names.ts';
import { isReplaced, type Rendered } from '../../params/params.ts';
import { listBlocks } from '../../program/program.ts';
import type { Body } from '../../syntax/ast.ts';
import { keepTexts } from './list-texts.ts';
import type { Rule } from './rule.ts';

/**
 * Warns of possible parameters without a value inside strings, if any parameters are supplied
 * (docs/reference/parameters.md#without-a-value).
 */
export function createSuppliedParams(lexicalRules: LexicalRules): Rule {
  return ({ packages }, report) => {
    for (const owner of packages.values()) {
      for (const file of owner.files) {
        const { blocks, macros, rendered } = file.file;
        const references = [
          ...[...blocks, ...macros].flatMap(({ body }) => findInBody(body, rendered, lexicalRules)),
          ...listBlocks(owner, file).flatMap(findPublicationParams),
        ];
        for (const param of references) report(file, param, describeQuotedParam(param), 'warning');
      }
    }
  };
}

function findInBody(body: Body, rendered: Rendered, lexicalRules: LexicalRules): readonly ParamReference[] {
  return findQuotedParams(keepTexts(body, rendered), lexicalRules)
    .map(({ name, start, end }) => ({ name, start: start + body.start, end: end + body.start }))
    .filter(({ start }) => !isReplaced(rendered, start));
}
