/**
 * The XML of answers, and of documents that clients send. Public source: Amazon S3 API reference,
 * namespace `http://s3.amazonaws.com/doc/2006-03-01/`; XML 1.0, 2.2 and 2.4.
 */
import type { Code } from '@cumulet/common/languages/code';
import { XMLParser } from 'fast-xml-parser';
import { SyntaxValidator } from 'fast-xml-validator';
import { S3Error } from './s3-error.js';

export type Xml = Code<'xml'>;

export const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n' as Xml;
const NAMESPACE = 'http://s3.amazonaws.com/doc/2006-03-01/';

/**
 * A list stands for elements of the same name; `@name` is an attribute; undefined is left out. An
 * unnamed value is a text, or a list of trees whose elements follow each other.
 */
export type XmlTree =
  | string
  | number
  | boolean
  | Date
  | undefined
  | readonly XmlTree[]
  | { readonly [name: string]: XmlTree };

/** @param namespace of the root element; empty for none, as errors have it */
export function writeXml(root: string, tree: XmlTree, namespace = NAMESPACE): Xml {
  const named = namespace === '' ? tree : withAttribute(tree, namespace);
  return (DECLARATION + elements(root, named)) as Xml;
}

/** The document without its declaration, which was sent before. */
export function withoutDeclaration(xml: Xml): Xml {
  return xml.slice(xml.startsWith(DECLARATION) ? DECLARATION.length : 0) as Xml;
}

function withAttribute(tree: XmlTree, namespace: string): XmlTree {
  return { '@xmlns': namespace, ...(isNamed(tree) ? tree : { '': tree }) };
}

function isNamed(tree: XmlTree): tree is { readonly [name: string]: XmlTree } {
  return typeof tree === 'object' && !Array.isArray(tree) && !(tree instanceof Date);
}

function elements(name: string, tree: XmlTree): string {
  if (tree === undefined) return '';
  if (Array.isArray(tree)) return joined(tree, (one: XmlTree) => elements(name, one));
  if (!isNamed(tree)) return `<${name}>${textOf(tree)}</${name}>`;
  let [attributes, content] = ['', ''];
  for (const key of Object.keys(tree)) {
    const value = tree[key];
    if (key.startsWith('@')) attributes += ` ${key.slice(1)}="${textOf(value)}"`;
    else content += key === '' ? unnamed(value) : elements(key, value);
  }
  return `<${name}${attributes}>${content}</${name}>`;
}

function unnamed(tree: XmlTree): string {
  if (Array.isArray(tree)) return joined(tree, unnamed);
  if (!isNamed(tree)) return textOf(tree);
  return joined(Object.keys(tree), (key) => elements(key, tree[key]));
}

/** For long lists: it allocates nothing but the text. */
function joined<T>(list: readonly T[], write: (one: T) => string): string {
  let text = '';
  for (const one of list) text += write(one);
  return text;
}

// A parser makes line feeds of carriage returns that are not written so; of the other control
// characters, Amazon's answers have references too, which XML 1.0 does not know.
// oxlint-disable-next-line no-control-regex -- these are meant
const SPECIAL = /[&<>"\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g;

function textOf(value: XmlTree): string {
  const text = value instanceof Date ? value.toISOString() : `${value as string | number}`;
  if (text.search(SPECIAL) < 0) return text;
  return text.replaceAll(
    SPECIAL,
    (one) => NAMED[one] ?? `&#x${one.charCodeAt(0).toString(16).toUpperCase()};`,
  );
}

const NAMED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

export class XmlElement {
  constructor(
    readonly name: string,
    private readonly content: unknown,
  ) {}

  /** Its characters, without those of elements in it. */
  get text(): string {
    const text = isBranch(this.content) ? this.content['#text'] : this.content;
    return typeof text === 'string' ? text : '';
  }

  /** @returns undefined if it has none. @throws S3Error MalformedXML if it has several */
  child(name: string): XmlElement | undefined {
    const found = this.children(name);
    if (found.length > 1) throw malformed(`${this.name} has more than one ${name}.`);
    return found[0];
  }

  /** @throws S3Error MalformedXML if it does not have exactly one */
  need(name: string): XmlElement {
    const found = this.child(name);
    if (!found) throw malformed(`${this.name} has no ${name}.`);
    return found;
  }

  children(name: string): XmlElement[] {
    return this.#values(name).map((value) => new XmlElement(name, value));
  }

  get names(): string[] {
    if (!isBranch(this.content)) return [];
    return Object.keys(this.content).filter((key) => key !== '#text' && !key.startsWith('@'));
  }

  attribute(name: string): string | undefined {
    const [value] = this.#values(`@${name}`);
    return typeof value === 'string' ? value : undefined;
  }

  #values(key: string): unknown[] {
    if (!isBranch(this.content)) return [];
    const value = this.content[key];
    return value === undefined ? [] : [value].flat();
  }
}

type Branch = Readonly<Record<string, unknown>>;

function isBranch(content: unknown): content is Branch {
  return typeof content === 'object' && content !== null;
}

const MAX_DEPTH = 32;

const PARSER = new XMLParser({
  attributeNamePrefix: '@',
  entityDecoder: {
    decode: withCharacters,
    reset: () => undefined,
    setXmlVersion: () => undefined,
    setExternalEntities: () => undefined,
    addInputEntities: () => undefined,
  },
  ignoreAttributes: false,
  ignoreDeclaration: true,
  ignorePiTags: true,
  parseTagValue: false,
  parseAttributeValue: false,
  removeNSPrefix: true,
  trimValues: false,
  maxNestedTags: MAX_DEPTH,
  numberParseOptions: { hex: false, leadingZeros: false },
});

/**
 * @param root the name of its outermost element
 * @throws S3Error MalformedXML, also for a document type: nothing that S3 takes declares entities
 */
export function readXml(text: string, root: string, bounds?: XmlBounds): XmlElement {
  const excess = excessOfXml(text, bounds);
  if (excess !== undefined) throw malformed(excess);
  if (text.includes('<!DOCTYPE')) throw malformed('The document declares a document type.');
  let parsed: Branch;
  try {
    SyntaxValidator.validate(text);
    parsed = PARSER.parse(text) as Branch;
  } catch (cause) {
    throw cause instanceof S3Error ? cause : new S3Error('MalformedXML', { cause });
  }
  const value = parsed[root];
  if (value === undefined || Array.isArray(value))
    throw malformed(`The outermost element of the document is not ${root}.`);
  return new XmlElement(root, value);
}

export function malformed(message: string): S3Error {
  return new S3Error('MalformedXML', { message });
}

const REFERENCE = /&(?:#x([0-9a-f]+)|#(\d+)|(amp|lt|gt|quot|apos));/gi;
const CHARACTERS: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

/**
 * Resolves the references in a text, even to control characters, which XML 1.0 does not allow: they are
 * a part of keys.
 */
function withCharacters(text: string): string {
  return text.replace(REFERENCE, (reference, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return CHARACTERS[name.toLowerCase()] ?? reference;
    const code = hex === undefined ? Number(decimal) : parseInt(hex, 16);
    if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
      throw malformed(`${reference.slice(0, 20)} does not refer to a character.`);
    return String.fromCodePoint(code);
  });
}

/** Values in documents that clients send. All throw S3Error MalformedXML for what they do not know. */
export function choiceOf<const C extends string>(element: XmlElement, among: readonly C[]): C {
  const found = among.find((one) => one === element.text.trim());
  if (found === undefined) throw malformed(unknown(element, `one of ${among.join(', ')}`));
  return found;
}

export function booleanOf(element: XmlElement): boolean {
  const text = element.text.trim();
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw malformed(unknown(element, 'true or false'));
}

/** Negative numbers too: the caller checks the bounds. */
export function integerOf(element: XmlElement): number {
  const text = element.text.trim();
  const value = Number(text);
  if (/^[+-]?\d{1,15}$/.test(text)) return value;
  throw malformed(unknown(element, 'a whole number'));
}

/** @throws S3Error MalformedXML if it has other elements than these */
export function requireOnly(element: XmlElement, names: readonly string[]): void {
  const other = element.names.find((name) => !names.includes(name));
  if (other !== undefined) throw malformed(`${element.name} cannot have a ${other}.`);
}

function unknown({ name, text }: XmlElement, expected: string): string {
  return `${name} must be ${expected}, and not "${text.slice(0, 100)}".`;
}

/**
 * Limits of XML, checked in one pass over the text before it is parsed, so that the cost of a
 * document is bounded by its size. Pure.
 */
export interface XmlBounds {
  /** Elements, comments, instructions and sections of characters in all. */
  readonly elements: number;
}

/** Enough for the largest DeleteObjects request. */
const XML_BOUNDS: XmlBounds = { elements: 20_000 };

/** Different names of elements: S3 has fewer. */
const MAX_NAMES = 200;
/** In all; a grant has two. */
const MAX_ATTRIBUTES = 1_000;
/** References to characters, `&lt;`: each is looked up by itself. */
const MAX_REFERENCES = 20_000;
/** Characters between an opening angle and its closing one. */
const MAX_TAG = 4_096;

/** Of characters between two tags: a key with a reference for each of its characters has fewer. */
const MAX_TEXT = 16_384;

/** Opening and closing marks. */
const SECTIONS = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
] as const;

const NAME = /[^\s/>]*/y;

/** @returns the excess as a sentence; undefined if the text may be parsed */
export function excessOfXml(text: string, { elements } = XML_BOUNDS): string | undefined {
  const names = new Set<string>();
  let [marks, attributes] = [0, 0];
  if (text.split('&', MAX_REFERENCES + 2).length > MAX_REFERENCES + 1)
    return `The document has more than ${MAX_REFERENCES} references.`;
  let ended = 0;
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) {
    if (at - ended > MAX_TEXT) return TOO_LONG;
    const section = SECTIONS.find(([start]) => text.startsWith(start, at));
    if (section) {
      const end = text.indexOf(section[1], at + section[0].length);
      if (end < 0) return 'The document ends within a comment, an instruction or characters.';
      if (end - at > MAX_TEXT) return TOO_LONG;
      at = end + section[1].length;
      marks += 2;
    } else {
      const isEnd = text.charCodeAt(at + 1) === SLASH;
      marks += 1;
      NAME.lastIndex = at + 1;
      if (!isEnd) names.add(NAME.exec(text)?.[0] ?? '');
      if (names.size > MAX_NAMES)
        return `The document has elements of more than ${MAX_NAMES} different names.`;
      const tag = tagFrom(text, at);
      if (tag.end < 0) return `The document has a tag of more than ${MAX_TAG} characters.`;
      attributes += tag.attributes;
      if (attributes > MAX_ATTRIBUTES)
        return `The document has more than ${MAX_ATTRIBUTES} attributes.`;
      at = tag.end;
    }
    ended = at;
    if (marks > 2 * elements) return `The document has more than ${elements} elements.`;
  }
  return text.length - ended > MAX_TEXT ? TOO_LONG : undefined;
}

const TOO_LONG = `The document has a text of more than ${MAX_TEXT} characters.`;

const [QUOTE, APOSTROPHE, SLASH, EQUALS, CLOSE] = [0x22, 0x27, 0x2f, 0x3d, 0x3e];

/** Quoted values may contain any of the marks. @returns its end, -1 if it is too long */
function tagFrom(text: string, start: number): { readonly end: number; attributes: number } {
  let attributes = 0;
  const last = Math.min(text.length, start + MAX_TAG);
  for (let at = start; at < last; at += 1) {
    const char = text.charCodeAt(at);
    if (char === CLOSE) return { end: at + 1, attributes };
    if (char === EQUALS) attributes += 1;
    if (char === QUOTE || char === APOSTROPHE) {
      at = text.indexOf(String.fromCharCode(char), at + 1);
      if (at < 0) break;
    }
  }
  // An unfinished tag is refused by the parser.
  return { end: text.length - start < MAX_TAG ? text.length : -1, attributes };
}
