import type {
  Argument,
  BlockDeclaration,
  Body,
  ConstantDeclaration,
  Expression,
  ImportDeclaration,
  MacroDeclaration,
  MapEntry,
  Parameter,
  Part,
  ScriptFile,
} from '../../../../src/engine/script/syntax/ast.ts';
import { pickByKind } from '../../../../src/invariants/narrow.ts';
import { isDecimal, toDecimalText } from '../../../../src/text/decimal.ts';

type KindOf<K extends Expression['kind']> = Extract<Expression, { readonly kind: K }>;
type Declaration = ImportDeclaration | BlockDeclaration | MacroDeclaration | ConstantDeclaration;

const NAME = /^[\p{L}_][\p{L}\p{N}_]*$/u;

/**
 * Prints a script in a uniform format: declarations in source order, text unchanged, expressions with uniform spaces
 * and parentheses. Comments outside bodies are left out.
 */
export function printScript({ rendered: { text }, imports, blocks, macros, constants }: ScriptFile): string {
  const declarations: Declaration[] = [...imports, ...blocks, ...macros, ...constants];
  declarations.sort((a, b) => a.start - b.start);
  return declarations.map((declaration) => `${printDeclaration(declaration, text)}\n`).join('');
}

function printDeclaration(declaration: Declaration, text: string): string {
  switch (declaration.kind) {
    case 'import': {
      const { path, alias } = declaration;
      return `#+import ${printText(path)}${alias === null ? '' : ` as ${alias.name}`}`;
    }
    case 'constant':
      return `#+const\n${declaration.name.name} = ${printExpression(declaration.value)};\n#+end`;
    case 'macro': {
      const { name, params, body } = declaration;
      return `#+macro ${name.name}${printParameters(params)}\n${printBeginEnd(body, text)}`;
    }
    default:
      return printBlock(declaration, text);
  }
}

function printBlock(
  { kind, name, params, returns, meta, body, start }: BlockDeclaration,
  text: string,
): string {
  if (kind === 'anonymous' && !text.startsWith('#+src', start)) {
    const own = printBody(body, text).trim();
    // Text that follows other text on its line would become a directive at the start of a line.
    return /^#\+(?!(?:if|for)\b)\p{L}/u.test(own) ? `#+src sql\n#+begin\n${own}\n#+end` : own;
  }
  const type = returns === null ? '' : `: ${returns.name}`;
  const head = name === null ? '' : ` ${name.name}${printParameters(params)}${type}`;
  const metadata = meta === null ? '' : `#+meta ${printExpression(meta)}\n`;
  return `#+${kind === 'test' ? 'test' : 'src'} sql${head}\n${metadata}${printBeginEnd(body, text)}`;
}

function printParameters(params: readonly Parameter[]): string {
  const texts = params.map((param) =>
    param.default === null ? param.name : `${param.name}=${printExpression(param.default)}`,
  );
  return `(${texts.join(', ')})`;
}

function printBeginEnd(body: Body, text: string): string {
  return `#+begin${printBody(body, text)}#+end`;
}

function printBody({ parts }: Body, text: string): string {
  return parts.map((part) => printPart(part, text)).join('');
}

function printPart(part: Part, text: string): string {
  switch (part.kind) {
    case 'interpolation':
      return `{{ ${printExpression(part.expression)} }}`;
    case 'if': {
      const branches = part.branches.map(({ condition, body }, i) => {
        return `#+${i === 0 ? 'if' : 'elseif'} ${printExpression(condition)} then${printBody(body, text)}`;
      });
      const otherwise = part.otherwise === null ? '' : `#+else${printBody(part.otherwise, text)}`;
      return `${branches.join('')}${otherwise}#+end`;
    }
    case 'for': {
      const clauses = Object.entries(part.clauses).map(
        ([word, value]) => ` ${word} ${printExpression(value)}`,
      );
      const head = `${part.variable.name} : ${printExpression(part.list)}${clauses.join('')}`;
      return `#+for ${head} do${printBody(part.body, text)}#+end`;
    }
    default:
      return text.slice(part.start, part.end);
  }
}

function printExpression(expression: Expression): string {
  return pickByKind<Expression, [], string>(PRINTERS, expression)(expression);
}

const PRINTERS: { readonly [K in Expression['kind']]: (expression: KindOf<K>) => string } = {
  literal: ({ value }) => printLiteral(value),
  symbol: ({ name }) => `:${name}`,
  name: ({ name }) => name,
  unset: ({ name }) => `$${name}`,
  member: ({ object, member }) => `${printObject(object)}.${member.name}`,
  index: ({ object, index }) => `${printObject(object)}[${printExpression(index)}]`,
  call: ({ callee, args }) => `${printObject(callee)}(${args.map(printArgument).join(', ')})`,
  list: ({ items }) => `[${items.map(printExpression).join(', ')}]`,
  map: ({ entries }) => (entries.length === 0 ? '{}' : `{ ${entries.map(printEntry).join(', ')} }`),
  unary: ({ operator, operand }) => `${operator}${operator === 'not' ? ' ' : ''}${printOperand(operand)}`,
  binary: ({ operator, left, right }) => `${printOperand(left)} ${operator} ${printOperand(right)}`,
};

function printLiteral(value: KindOf<'literal'>['value']): string {
  if (typeof value === 'string') return printText(value);
  if (typeof value === 'number' && Number.isInteger(value)) return value.toFixed(1);
  if (isDecimal(value)) return toDecimalText(value.units, Number(value.scale));
  return String(value);
}

function printText(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

function printArgument({ name, value }: Argument): string {
  return `${name === null ? '' : `${name.name}=`}${printExpression(value)}`;
}

function printEntry({ key, value }: MapEntry): string {
  return `${NAME.test(key.name) ? `:${key.name}` : printText(key.name)} ${printExpression(value)}`;
}

/** Prints an expression before a dot, an index or arguments. */
function printObject(expression: Expression): string {
  const isPlain = ['name', 'member', 'index', 'call', 'list', 'map', 'symbol', 'unset'].includes(
    expression.kind,
  );
  return isPlain ? printExpression(expression) : `(${printExpression(expression)})`;
}

/** Prints an operand, in parentheses if it needs them. */
function printOperand(expression: Expression): string {
  const isNegative = expression.kind === 'literal' && printLiteral(expression.value).startsWith('-');
  const isOperation = expression.kind === 'unary' || expression.kind === 'binary';
  return isOperation || isNegative ? `(${printExpression(expression)})` : printExpression(expression);
}
