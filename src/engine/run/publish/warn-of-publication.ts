import { checkWords } from '../../script/check/rules/known-words.ts';
import { describeQuotedParam, findPublicationParams } from '../../script/evaluate/quoted-params.ts';
import { type BlockDefinition, createScriptDiagnostic } from '../../script/program/program.ts';
import type { Warn } from '../../text/diagnostic.ts';

/** Warns of unknown metadata, such as a mistyped key, which the publication ignores. */
export function warnOfMetadata({ declaration, file }: BlockDefinition, warn: Warn): void {
  checkWords(file, declaration, (place, span, message, severity) => {
    if (severity === 'warning')
      warn(createScriptDiagnostic(place.file, span, message, 'unknown-word', severity));
  });
}

/** Warns of possible parameters without a value in the name of a published object. */
export function warnOfParams(block: BlockDefinition, warn: Warn): void {
  for (const param of findPublicationParams(block)) {
    warn(createScriptDiagnostic(block.file.file, param, describeQuotedParam(param), 'parameter', 'warning'));
  }
}
