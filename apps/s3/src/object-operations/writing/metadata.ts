/**
 * The words of a client that stand with its object. Public source: Amazon S3 user guide, "Working
 * with object metadata"; RFC 2047, 2.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { S3Error } from '../../http/s3-error.js';

export type Metadata = Readonly<Record<string, string>>;

const PREFIX = 'x-amz-meta-';
/** Of all names and values together. */
const MAX_BYTES = 2048;

/** @throws S3Error MetadataTooLarge; InvalidArgument for what cannot be stored */
export function metadataOf(headers: IncomingHttpHeaders): Metadata {
  const metadata = new Map<string, string>();
  let size = 0;
  for (const [header, value] of Object.entries(headers)) {
    if (!header.startsWith(PREFIX) || value === undefined) continue;
    const name = header.slice(PREFIX.length);
    const text = textOf(Array.isArray(value) ? value.join(',') : value);
    size += Buffer.byteLength(name) + Buffer.byteLength(text);
    metadata.set(name, text);
  }
  if (size <= MAX_BYTES) return Object.fromEntries(metadata);
  throw new S3Error('MetadataTooLarge', { details: { Size: size, MaxSizeAllowed: MAX_BYTES } });
}

/** Headers that are no ASCII come as RFC 2047 has it: a client reads them as it reads mail. */
export function metadataHeaders(metadata: Metadata): Record<string, string> {
  return Object.fromEntries(
    Object.entries(metadata).map(([name, text]) => [PREFIX + name, headerOf(text)]),
  );
}

/** Node reads headers as Latin-1; what is UTF-8 is meant as that. */
function textOf(value: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(value, 'latin1'));
  } catch {
    return value;
  }
}

/** Bytes that fit into one encoded word of at most 75 characters, in whole characters. */
const MAX_WORD_BYTES = 45;

function headerOf(text: string): string {
  if (/^[\t\x20-\x7e]*$/.test(text)) return text;
  const words: string[] = [];
  let word = '';
  for (const character of text) {
    if (Buffer.byteLength(word + character) > MAX_WORD_BYTES) {
      words.push(word);
      word = '';
    }
    word += character;
  }
  const encoded = [...words, word].map(
    (one) => `=?UTF-8?B?${Buffer.from(one).toString('base64')}?=`,
  );
  return encoded.join(' ');
}
