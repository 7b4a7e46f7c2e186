import { type Completion, snippetCompletion } from '@codemirror/autocomplete';
import { findPlace } from '../place.ts';
import { type CompletionRequest, type Completions, textBefore } from './context.ts';

const make = (label: string, template: string, detail: string): Completion =>
  snippetCompletion(template, { label, detail, type: 'keyword' });

/** Directives in bodies. */
const INSIDE: readonly Completion[] = [
  make('#+if', '#+if #{condition} then #{}#+end', 'condition'),
  make('#+elseif', '#+elseif #{condition} then ', 'condition'),
  make('#+else', '#+else ', 'condition'),
  make('#+for', '#+for #{name} : #{list} separator "#{, }" do #{}#+end', 'loop'),
  make('#+end', '#+end', 'end of a body'),
];

/** Directives at the start of a line, outside of declarations. */
const OUTSIDE: readonly Completion[] = [
  make('#+import', '#+import "#{path}"', 'import'),
  make('#+src', '#+src sql #{Name}()\n#+begin\n#{}\n#+end', 'block'),
  make('#+test', '#+test sql #{Name}()\n#+begin\n#{}\n#+end', 'test'),
  make('#+macro', '#+macro #{Name}(#{parameters})\n#+begin\n#{}\n#+end', 'macro'),
  make('#+const', '#+const\n#{name} = #{value};\n#+end', 'constants'),
];

/** Directives of a header. */
const HEADER: readonly Completion[] = [
  make('#+meta', '#+meta { :doc "#{text}" }', 'metadata'),
  make('#+begin', '#+begin\n#{}\n#+end', 'body'),
];

/** Completes a directive after `#` or `#+`. */
export function completeDirective(asked: CompletionRequest): Completions {
  const [, before = '', typed] = /^(.*?)(#\+?\w*)$/.exec(textBefore(asked)) ?? [];
  if (typed === undefined) return null;
  const from = asked.position - typed.length;
  const { place, isDeclared, parts } = findPlace(asked.doc, from, asked.rules).state;
  if (place === 'header' || place === 'import') return { from, options: [...HEADER, ...OUTSIDE] };
  if (place === 'constants') return { from, options: INSIDE.filter(({ label }) => label === '#+end') };
  const isOutside = !isDeclared && parts === 0 && before.trim() === '';
  return { from, options: isOutside ? [...OUTSIDE, ...INSIDE] : INSIDE };
}
