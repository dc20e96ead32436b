/**
 * Several texts as one that cloud-init reads. Public source: RFC 2046; cloud-init, "User-data formats",
 * MIME multi-part archive.
 *
 * Always holds: the same parts give the same text, which requests that are repeated need.
 */
import { hash } from 'node:crypto';

export interface MimePart {
  readonly content: string;
  /** The subtype of `text/…`: `cloud-config`, `x-shellscript`. */
  readonly subtype: string;
  readonly filename?: string;
}

// eslint-disable-next-line no-control-regex -- What is not ASCII needs base64.
const ASCII = /^[\x00-\x7f]*$/;

export function multipart(parts: readonly MimePart[]): string {
  const boundary = `===============${hash('sha256', JSON.stringify(parts), 'hex').slice(0, 32)}==`;
  return [
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    'MIME-Version: 1.0',
    '',
    ...parts.flatMap((part) => [`--${boundary}`, ...linesOf(part)]),
    `--${boundary}--`,
    '',
  ].join('\n');
}

function linesOf({ content, subtype, filename }: MimePart): readonly string[] {
  const isPlain = ASCII.test(content);
  return [
    `Content-Type: text/${subtype}; charset="${isPlain ? 'us-ascii' : 'utf-8'}"`,
    'MIME-Version: 1.0',
    `Content-Transfer-Encoding: ${isPlain ? '7bit' : 'base64'}`,
    ...(filename === undefined ? [] : [`Content-Disposition: attachment; filename="${filename}"`]),
    '',
    isPlain ? content : base64Lines(content),
  ];
}

function base64Lines(content: string): string {
  return Buffer.from(content, 'utf8').toString('base64').replace(/.{76}/g, '$&\n');
}

/** The parts of a text that is such a whole already; undefined for any other. */
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
  const [, filename] = /^content-disposition:.*filename="?([^";\r\n]+)"?/im.exec(head) ?? [];
  const isBase64 = /^content-transfer-encoding:\s*base64/im.test(head);
  const content = isBase64 ? Buffer.from(body, 'base64').toString('utf8') : body;
  return { content, subtype, ...(filename === undefined ? {} : { filename }) };
}

/** At the first empty line; headers go on over lines that begin with a space. */
function parted(text: string): { readonly head: string; readonly body: string } {
  const at = /\r?\n\r?\n/.exec(text);
  if (!at) return { head: '', body: text };
  const head = text.slice(0, at.index).replace(/\r?\n[ \t]+/g, ' ');
  return { head, body: text.slice(at.index + at[0].length) };
}
