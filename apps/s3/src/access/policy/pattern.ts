/**
 * Patterns of policies: `*` for any characters, `?` for one, and `${name}` for a variable of the
 * request. Pure, and matched in time proportional to the product of both lengths at most. Public
 * source: IAM user guide, "IAM policy elements: Variables and tags".
 */

const MANY = Symbol('*');
const ONE = Symbol('?');

type Token = string | typeof MANY | typeof ONE | Variable;

interface Variable {
  readonly name: string;
  /** `${name, 'otherwise'}` */
  readonly otherwise: string | undefined;
}

export interface Pattern {
  readonly text: string;
  /** Single characters, wildcards and variables. */
  readonly tokens: readonly Token[];
  readonly hasVariables: boolean;
}

/** @returns the value that a variable stands for; undefined if it has none */
export type Variables = (name: string) => string | undefined;

const PART = /\$\{([^}]*)\}|[^]/gu;
/** Escaped wildcards: `${*}`. */
const ESCAPED = new Set(['*', '?', '$']);
const DEFAULT = /^\s*'([^']*)'\s*$/;

/** @param takesVariables whether `${name}` is one: in policies of the version 2012-10-17 */
export function patternOf(text: string, takesVariables: boolean): Pattern {
  const tokens = [...text.matchAll(PART)].flatMap(([part, name]): Token[] => {
    if (name === undefined) return [part === '*' ? MANY : part === '?' ? ONE : part];
    if (ESCAPED.has(name)) return [name];
    if (!takesVariables) return Array.from(part);
    return [variableIn(name)];
  });
  return { text, tokens, hasVariables: tokens.some(isVariable) };
}

/** @param text `name` or `name, 'default'`; anything else names no variable */
function variableIn(text: string): Variable {
  const comma = text.indexOf(',');
  if (comma < 0) return { name: text.trim(), otherwise: undefined };
  const [, otherwise] = DEFAULT.exec(text.slice(comma + 1)) ?? [];
  return { name: otherwise === undefined ? '' : text.slice(0, comma).trim(), otherwise };
}

/** A pattern whose variables have no value matches nothing. */
export function isLike(pattern: Pattern, text: string, variables: Variables): boolean {
  const tokens = expanded(pattern, variables);
  return tokens !== undefined && matches(tokens, Array.from(text));
}

/** @returns the text of a pattern whose wildcards are no wildcards; undefined without a value */
export function plainText(pattern: Pattern, variables: Variables): string | undefined {
  return expanded(pattern, variables)
    ?.map((token) => (token === MANY ? '*' : token === ONE ? '?' : token))
    .join('');
}

/** Splits a pattern at a separator; the last part holds the rest. */
export function partsOf(pattern: Pattern, separator: string, count: number): Pattern[] {
  const parts: Token[][] = [[]];
  for (const token of pattern.tokens) {
    if (token === separator && parts.length < count) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts.map((tokens) => ({
    text: tokens.map(shown).join(''),
    tokens,
    hasVariables: tokens.some(isVariable),
  }));
}

function shown(token: Token): string {
  if (typeof token === 'string') return token;
  if (typeof token === 'symbol') return token === MANY ? '*' : '?';
  return `\${${token.name}}`;
}

function isVariable(token: Token): token is Variable {
  return typeof token === 'object';
}

type Expanded = readonly Exclude<Token, Variable>[];

/** Values are literal: their stars are not wildcards. */
function expanded({ tokens, hasVariables }: Pattern, variables: Variables): Expanded | undefined {
  if (!hasVariables) return tokens as Expanded;
  const all: Exclude<Token, Variable>[] = [];
  for (const token of tokens) {
    if (!isVariable(token)) {
      all.push(token);
      continue;
    }
    const value = variables(token.name) ?? token.otherwise;
    if (value === undefined) return undefined;
    all.push(...Array.from(value));
  }
  return all;
}

/** Backtracks to the last star only: an earlier one could not do better. */
function matches(tokens: Expanded, text: readonly string[]): boolean {
  let [at, token] = [0, 0];
  let star: { readonly token: number; at: number } | undefined;
  while (at < text.length) {
    const expected = tokens[token];
    if (expected === MANY) {
      star = { token, at };
      token += 1;
    } else if (expected === ONE || (expected !== undefined && expected === text[at])) {
      token += 1;
      at += 1;
    } else if (star) {
      star.at += 1;
      at = star.at;
      token = star.token + 1;
    } else return false;
  }
  while (tokens[token] === MANY) token += 1;
  return token === tokens.length;
}
