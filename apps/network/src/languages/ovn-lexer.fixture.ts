/**
 * OVN's parser of matches and actions: the tokens of its lexer, strictly, and constants. Public
 * sources: ovn-sb(5), "Logical_Flow"; ovn, `lib/lex.c` and `expr_constant_set_parse` in
 * `lib/expr.c`.
 */
import { isIP } from 'node:net';

export interface Token {
  readonly type: 'id' | 'string' | 'number' | 'set' | 'group' | (string & {});
  readonly text: string;
}

const SIGNS = /^(?:<->|&&|\|\||==|!=|<=|>=|--|\.\.|[(){}[\]<>!,;=:-])/;
const WORD = /^[A-Za-z_.][A-Za-z0-9_.]*/;
const MAC = /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/i;

/** @throws Error where OVN's lexer would fail */
export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  let rest = text;
  while ((rest = rest.replace(/^[ \t\n\r]+/, '')) !== '') {
    const [token, length] = firstOf(rest);
    tokens.push(token);
    rest = rest.slice(length);
  }
  return tokens;
}

/** One constant, or several in braces. @throws Error for anything else */
export function constantsIn(tokens: readonly Token[]): Token[] {
  const [first, ...more] = tokens;
  if (first?.type !== '{') {
    if (more.length > 0) throw new Error(`more than a constant: ${JSON.stringify(tokens)}`);
    return [constant(first)];
  }
  if (more.at(-1)?.type !== '}') throw new Error(`a brace is open: ${JSON.stringify(tokens)}`);
  return more.slice(0, -1).flatMap((one, at) => {
    if (at % 2 === 0) return [constant(one)];
    if (one.type !== ',') throw new Error(`no comma between constants: ${JSON.stringify(tokens)}`);
    return [];
  });
}

function constant(token: Token | undefined): Token {
  if (token === undefined || !['string', 'number'].includes(token.type))
    throw new Error(`no constant: ${JSON.stringify(token)}`);
  return token;
}

function firstOf(text: string): [Token, number] {
  if (text.startsWith('"')) return stringOf(text);
  const number = numberOf(text);
  if (number) return [{ type: 'number', text: number }, number.length];
  const [word] = WORD.exec(text) ?? [];
  if (word !== undefined) return [{ type: 'id', text: word }, word.length];
  for (const [sign, type] of [
    ['$', 'set'],
    ['@', 'group'],
  ] as const) {
    const [name] = text.startsWith(sign) ? (WORD.exec(text.slice(1)) ?? []) : [];
    if (name !== undefined) return [{ type, text: name }, name.length + 1];
  }
  const [sign] = SIGNS.exec(text) ?? [];
  if (sign === undefined) throw new Error(`OVN does not know ${JSON.stringify(text)}`);
  return [{ type: sign, text: sign }, sign.length];
}

/** A number begins with a digit. */
function numberOf(text: string): string | undefined {
  const looksLikeOne = /^\d/.test(text) || /^[0-9a-f]*:/i.test(text);
  if (!looksLikeOne) return undefined;
  const whole = /^[0-9A-Za-z.:]*(\/[0-9A-Za-z.:]+)?/.exec(text)?.[0] ?? '';
  const [value = '', mask, ...rest] = whole.split('/');
  const isNumber = /^(0|[1-9]\d*)$/.test(value) || /^0x[0-9a-f]+$/i.test(value) || MAC.test(value);
  const bits = isIP(value) === 4 ? 32 : 128;
  const isMasked =
    mask === undefined ||
    (isIP(value) !== 0 && /^(0|[1-9]\d*)$/.test(mask) && Number(mask) <= bits);
  if (rest.length > 0 || !(isNumber || isIP(value) !== 0) || !isMasked)
    throw new Error(`no number: ${JSON.stringify(whole)}`);
  return whole;
}

/** As in JSON, where control characters must be escaped. */
function stringOf(text: string): [Token, number] {
  let at = 1;
  while (text[at] !== '"') {
    if (at >= text.length) throw new Error(`a string does not end: ${JSON.stringify(text)}`);
    at += text[at] === '\\' ? 2 : 1;
  }
  const whole = text.slice(0, at + 1);
  return [{ type: 'string', text: JSON.parse(whole) as string }, whole.length];
}
