/**
 * Combines texts to a multi-part archive for cloud-init. Public source: RFC 2045 and 2046; RFC 2231, 4;
 * cloud-init, "User-data formats", MIME multi-part archive.
 *
 * Always holds: the same parts give the same text, as repeated requests need; a part keeps its
 * content and its name, whatever they contain.
 */
import { hash } from 'node:crypto';
import type { Code } from '@cumulet/common/languages/code';
import { stringifyExact } from '../../json/exact-json.js';

export type Mime = Code<'mime'>;

export interface MimePart {
  readonly content: string;
  /** The subtype of `text/…`, such as `cloud-config` or `x-shellscript`; others become plain text. */
  readonly subtype: string;
  readonly filename?: string;
}

/** A header token, which needs no quotes. */
export const TOKEN = '[A-Za-z0-9][A-Za-z0-9.+_-]*';
const IS_TOKEN = new RegExp(`^${TOKEN}$`);

/** Lines that mail allows; other characters and bare carriage returns need base64. */
const PLAIN = /^(?:[\t\x20-\x7e]|\r?\n)*$/;

export function multipart(parts: readonly MimePart[]): Mime {
  const boundary = `===============${hash('sha256', stringifyExact(parts), 'hex').slice(0, 32)}==`;
  return [
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    'MIME-Version: 1.0',
    '',
    ...parts.flatMap((part) => [`--${boundary}`, ...linesOf(part)]),
    `--${boundary}--`,
    '',
  ].join('\n') as Mime;
}

function linesOf({ content, subtype, filename }: MimePart): readonly string[] {
  const isPlain = PLAIN.test(content);
  const type = IS_TOKEN.test(subtype) ? subtype : 'plain';
  return [
    `Content-Type: text/${type}; charset="${isPlain ? 'us-ascii' : 'utf-8'}"`,
    'MIME-Version: 1.0',
    `Content-Transfer-Encoding: ${isPlain ? '7bit' : 'base64'}`,
    ...(filename === undefined ? [] : [`Content-Disposition: attachment; ${named(filename)}`]),
    '',
    isPlain ? content : base64Lines(content),
  ];
}

/** Quoted, or encoded if it cannot be quoted. */
function named(filename: string): string {
  if (/^[\x20-\x7e]*$/.test(filename))
    return `filename="${filename.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
  const encoded = encodeURIComponent(filename.replaceAll(/\p{Surrogate}/gu, '\ufffd'));
  return `filename*=utf-8''${encoded.replaceAll(/[!'()*]/g, percent)}`;
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

function base64Lines(content: string): string {
  return Buffer.from(content, 'utf8').toString('base64').replace(/.{76}/g, '$&\n');
}

/** The parts of a text that is an archive already; undefined for others. */
export function partsOf(text: string): readonly MimePart[] | undefined {
  const { head, body } = parted(text);
  const [, boundary] = /^content-type:\s*multipart\/.*boundary="?([^";\s]+)"?/im.exec(head) ?? [];
  if (boundary === undefined) return undefined;
  const [first, ...rest] = `\n${body}`.split(`\n--${boundary}`);
  if (first === undefined) return undefined;
  return rest
    .filter((part) => !part.startsWith('--'))
    .map((part) => partOf(part.replace(/^\r?\n/, '')));
}

function partOf(text: string): MimePart {
  const { head, body } = parted(text);
  const [, subtype = 'plain'] = /^content-type:\s*text\/([^;\s]+)/im.exec(head) ?? [];
  const filename = filenameIn(head);
  const isBase64 = /^content-transfer-encoding:\s*base64/im.test(head);
  const content = isBase64 ? Buffer.from(body, 'base64').toString('utf8') : body;
  return { content, subtype, ...(filename === undefined ? {} : { filename }) };
}

const ENCODED = /^content-disposition:.*;\s*filename\*=utf-8'[^']*'([^\s;]*)/im;
const QUOTED = /^content-disposition:.*?;\s*filename="((?:\\.|[^"\\])*)"/im;
const BARE = /^content-disposition:.*?;\s*filename=([^\s";]+)/im;

function filenameIn(head: string): string | undefined {
  const [, encoded] = ENCODED.exec(head) ?? [];
  if (encoded !== undefined && !/%(?![0-9a-f]{2})/i.test(encoded))
    return Buffer.from(encoded.replaceAll(/%(..)/g, octet), 'latin1').toString('utf8');
  const [, quoted] = QUOTED.exec(head) ?? [];
  return quoted?.replaceAll(/\\(.)/g, '$1') ?? BARE.exec(head)?.[1];
}

function octet(_encoded: string, hex: string): string {
  return String.fromCharCode(Number.parseInt(hex, 16));
}

/** Splits at the first empty line; a header continues on lines that begin with a space. */
function parted(text: string): { readonly head: string; readonly body: string } {
  const at = /\r?\n\r?\n/.exec(text);
  if (!at) return { head: '', body: text };
  const head = text.slice(0, at.index).replace(/\r?\n[ \t]+/g, ' ');
  return { head, body: text.slice(at.index + at[0].length) };
}
