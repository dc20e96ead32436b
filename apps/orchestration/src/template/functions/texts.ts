import { createHash } from 'node:crypto';
import { isList, isMap, kindOf, ownOf, type Json, type JsonObject } from '../../json/json.js';
import { jsonInText, textOf } from '../../json/texts.js';
import type { Expression } from '../expression.js';
import type { ResultBudget } from './result-budget.js';
import {
  computed,
  entryOf,
  formError,
  itemsOf,
  mayBeMap,
  siteError,
  type Site,
  type TemplateFunction,
} from './template-function.js';

interface Variant {
  /** Whether lists and maps become JSON instead of being refused. */
  readonly takesJson: boolean;
  readonly isStrict: boolean;
  readonly isVeryStrict: boolean;
}

/** Heat template guide, "str_replace", before 2015-10-15. */
export const strReplaceText = variant('Puts texts and numbers into a text.', {
  takesJson: false,
  isStrict: false,
  isVeryStrict: false,
});

/** Heat template guide, "str_replace". */
export const strReplace = variant('Puts values into a text: lists and maps as JSON.', {
  takesJson: true,
  isStrict: false,
  isVeryStrict: false,
});

/** Heat template guide, "str_replace_strict". */
export const strReplaceStrict = variant(
  'Puts values into a text, which must have a place for each of them.',
  { takesJson: true, isStrict: true, isVeryStrict: false },
);

/** Heat template guide, "str_replace_vstrict". */
export const strReplaceVeryStrict = variant(
  'Puts values, none of them empty, into a text, which must have a place for each of them.',
  { takesJson: true, isStrict: true, isVeryStrict: true },
);

/** `Fn::Replace`: a list of the params and the text. */
export const fnReplace = computed({
  description: 'Puts texts and numbers into a text.',
  check(argument, site) {
    const items = itemsOf(argument);
    if (argument.kind !== 'call' && items?.length !== 2)
      throw formError(site, '[{"$var1": "foo", "%var2%": "bar"}, "$var1 is %var2%"]');
  },
  compute(argument, site, budget) {
    const [params = null, template = null] = isList(argument) ? argument : [];
    const options = { takesJson: false, isStrict: false, isVeryStrict: false };
    return replaced(template, params, options, site, budget);
  },
});

function variant(description: string, options: Variant): TemplateFunction {
  return computed({
    description,
    check,
    compute(argument, site, budget) {
      const { template = null, params = null } = isMap(argument) ? argument : {};
      return replaced(template, params, options, site, budget);
    },
  });
}

function check(argument: Expression, site: Site): void {
  if (argument.kind === 'call') return;
  if (!mayBeMap(argument)) throw siteError(site, `Arguments to "${site.name}" must be a map`);
  const params = entryOf(argument, 'params');
  if (params === undefined || entryOf(argument, 'template') === undefined)
    throw siteError(site, `"${site.name}" syntax should be {template: …, params: {…}}`);
  if (!mayBeMap(params)) throw siteError(site, `"${site.name}" parameters must be a mapping`);
}

function replaced(
  template: Json,
  params: Json,
  options: Variant,
  site: Site,
  budget: ResultBudget,
): string {
  if (typeof template !== 'string')
    throw siteError(site, `"${site.name}" template must be a string`);
  if (!isMap(params)) throw siteError(site, `"${site.name}" params must be a map`);
  const texts = textsOf(params, options, site);
  const names = Object.keys(params).sort(longerFirst);
  const missing = new Set(names);
  if (names.includes(''))
    throw siteError(site, `"${site.name}" param placeholders must not be empty`);
  budget.search(names.length * template.length);
  const result = fill(template, names, texts, missing, budget);
  if (options.isStrict && missing.size > 0) {
    const list = names.filter((name) => missing.has(name)).join(',');
    throw siteError(site, `The following params were not found in the template: ${list}`);
  }
  return result;
}

/** Longer names take precedence, and replacements are not searched again. */
function fill(
  template: string,
  names: readonly string[],
  texts: ReadonlyMap<string, string>,
  missing: Set<string>,
  budget: ResultBudget,
): string {
  let length = 0;
  // Each name is searched in the rest of the names before it.
  let pieces: readonly (string | { readonly text: string })[] = [template];
  for (const name of names) {
    const text = texts.get(name) ?? '';
    const next: (string | { readonly text: string })[] = [];
    for (const piece of pieces) {
      if (typeof piece !== 'string') {
        next.push(piece);
        continue;
      }
      const [first = '', ...rest] = piece.split(name);
      next.push(first);
      if (rest.length > 0) {
        missing.delete(name);
        length += text.length * rest.length;
        budget.check(0, length);
      }
      for (const part of rest) {
        next.push({ text }, part);
      }
    }
    pieces = next.filter((piece) => piece !== '');
  }
  return pieces.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join('');
}

function textsOf(params: JsonObject, options: Variant, site: Site): ReadonlyMap<string, string> {
  return new Map(
    Object.keys(params).map((name) => [
      name,
      textFor(name, ownOf(params, name) ?? null, options, site),
    ]),
  );
}

function textFor(name: string, value: Json, options: Variant, site: Site): string {
  const isStructure = isList(value) || isMap(value);
  if (isStructure && !options.takesJson)
    throw siteError(
      site,
      `"${site.name}" params must be strings or numbers, param ${name} is ${kindOf(value)}`,
    );
  const isEmpty = isStructure ? Object.keys(value).length === 0 : textOf(value) === '';
  if (isEmpty && options.isVeryStrict)
    throw siteError(
      site,
      `${site.name} has an undefined or empty value for param ${name}, must be a defined non-empty value`,
    );
  return isStructure ? jsonInText(value) : textOf(value);
}

function longerFirst(one: string, other: string): number {
  return other.length - one.length || (one < other ? -1 : 1);
}

/** OpenSSL's names, by those of templates. */
const ALGORITHMS: Readonly<Record<string, string>> = {
  md5: 'md5',
  sha1: 'sha1',
  sha224: 'sha224',
  sha256: 'sha256',
  sha384: 'sha384',
  sha512: 'sha512',
  sha512_224: 'sha512-224',
  sha512_256: 'sha512-256',
  sha3_224: 'sha3-224',
  sha3_256: 'sha3-256',
  sha3_384: 'sha3-384',
  sha3_512: 'sha3-512',
  blake2b: 'blake2b512',
  blake2s: 'blake2s256',
};

/** Heat template guide, "digest": of a Latin-1 text, in hexadecimal. */
export const digest = computed({
  description: 'Gives the digest of a text by an algorithm: md5, sha256, sha512, …',
  compute(argument, site) {
    if (!isList(argument) || !argument.every((item): item is string => typeof item === 'string'))
      throw siteError(site, `Argument to function "${site.name}" must be a list of strings`);
    const [name, text] = argument;
    if (name === undefined || text === undefined || argument.length !== 2)
      throw siteError(site, `Function "${site.name}" usage: ["<algorithm>", "<value>"]`);
    const algorithm = ownOf(ALGORITHMS, name.toLowerCase());
    if (algorithm === undefined) {
      const known = Object.keys(ALGORITHMS).join(', ');
      throw siteError(site, `Algorithm must be one of ${known}`);
    }
    if (Buffer.from(text, 'latin1').toString('latin1') !== text)
      throw siteError(site, `"${site.name}" takes texts in Latin-1 alone`);
    return createHash(algorithm).update(text, 'latin1').digest('hex');
  },
});

/** `Fn::Base64` returns its text unchanged, because servers accept user data in plain text. */
export const fnBase64 = computed({
  description: 'Gives a text as it is, where templates encode it elsewhere.',
  compute(argument, site) {
    if (typeof argument !== 'string')
      throw siteError(site, `"${site.name}" argument must be a string`);
    return argument;
  },
});
