/**
 * What plain scalars of YAML 1.1 are, as users of Heat know them: `yes` is a boolean, `0644` is octal,
 * `12:30` counts in sixties, and dates stay texts, so that `heat_template_version: 2021-04-16` needs no
 * quotes. Public source: YAML 1.1, "Language-Independent Types".
 */
import type { Json } from '../../json/json.js';
import { floatOf, integerOf, type Numeric } from '../../json/numbers.js';

const TRUE = /^(?:yes|Yes|YES|true|True|TRUE|on|On|ON)$/u;
const FALSE = /^(?:no|No|NO|false|False|FALSE|off|Off|OFF)$/u;
const NULL = /^(?:~|null|Null|NULL|)$/u;
const BINARY = /^([-+]?)0b([01_]+)$/u;
const OCTAL = /^([-+]?)0([0-7_]+)$/u;
const HEXADECIMAL = /^([-+]?)0x([0-9a-fA-F_]+)$/u;
const DECIMAL = /^([-+]?)(0|[1-9][0-9_]*)$/u;
const SIXTIES = /^([-+]?)([0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?)$/u;
const FLOAT =
  /^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?)$/u;

/** @param source as it stands in the text, without quotes. */
export function plainScalar(source: string): Json {
  if (NULL.test(source)) {
    return null;
  }
  // Most scalars begin with a letter that no number and few words of the above begin with.
  if (TRUE.test(source)) {
    return true;
  }
  if (FALSE.test(source)) {
    return false;
  }
  return numberIn(source) ?? source;
}

/** A number in any of its spellings; undefined if it is none, a text if it is beyond all that are read. */
export function numberIn(source: string): Numeric | string | undefined {
  if (!/^[-+.0-9]/u.test(source)) {
    return undefined;
  }
  return integerIn(source) ?? floatIn(source);
}

function integerIn(source: string): number | bigint | string | undefined {
  for (const [pattern, prefix] of [
    [DECIMAL, ''],
    [BINARY, '0b'],
    [HEXADECIMAL, '0x'],
    [OCTAL, '0o0'],
  ] as const) {
    const [, sign, digits] = pattern.exec(source) ?? [];
    const number = digits === undefined ? '' : prefix + digits.replaceAll('_', '');
    if (number !== '' && !Number.isNaN(Number(number))) {
      return integerOf(number, sign === '-') ?? source;
    }
  }
  return undefined;
}

function floatIn(source: string): Numeric | string | undefined {
  if (FLOAT.test(source)) {
    return floatOf(Number(source.replaceAll('_', ''))) ?? source;
  }
  const [, sign, parts] = SIXTIES.exec(source) ?? [];
  // A leading zero begins no number that counts in sixties, unless it has a point: `00:30` is a text.
  if (parts === undefined || (parts.startsWith('0') && !parts.includes('.'))) {
    return undefined;
  }
  const value = parts
    .replaceAll('_', '')
    .split(':')
    .reduce((sum, part) => sum * 60 + Number(part), 0);
  const signed = sign === '-' ? -value : value;
  if (parts.includes('.')) return floatOf(signed) ?? source;
  return Number.isSafeInteger(signed) ? signed : source;
}
