/**
 * The content types of payloads, which are sent as they are, or in base64 within JSON. Public source:
 * Key Manager API reference, "Secret Types", and Barbican's source, `plugin/util/mime_types.py`.
 */

export const CONTENT_TYPES = [
  'text/plain',
  'application/octet-stream',
  'application/pkcs8',
] as const;

export type ContentType = (typeof CONTENT_TYPES)[number];

/** In answers, text is always in UTF-8. */
export function headerOf(type: ContentType): string {
  return type === 'text/plain' ? 'text/plain; charset=utf-8' : type;
}

/** Undefined for a type that payloads cannot have. */
export function contentTypeOf(text: string): ContentType | undefined {
  const [name, ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const isUtf8 = parameters.every((one) => /^charset\s*=\s*"?utf-?8"?$/.test(one));
  return isUtf8 ? CONTENT_TYPES.find((type) => type === name) : undefined;
}

interface Accepted {
  readonly range: string;
  readonly quality: number;
}

/** The media ranges of an Accept header, the best first. */
function acceptedBy(header: string): readonly Accepted[] {
  return header
    .split(',')
    .map((part): Accepted => {
      const [range = '', ...parameters] = part.split(';').map((one) => one.trim().toLowerCase());
      const given = parameters.find((one) => one.startsWith('q='))?.slice(2);
      const quality = given === undefined ? 1 : Number(given);
      // Other parameters are part of the type: `text/plain; charset=utf-8`.
      const own = parameters.filter((one) => !one.startsWith('q='));
      return { range: [range, ...own].join(';'), quality: Number.isNaN(quality) ? 0 : quality };
    })
    .filter(({ range, quality }) => range !== '' && quality > 0)
    .sort((one, other) => other.quality - one.quality);
}

/** A request without an Accept header accepts JSON too. */
export function acceptsJson(header: string | undefined): boolean {
  if (header === undefined || header.trim() === '') return true;
  return acceptedBy(header).some(({ range }) =>
    ['application/json', 'application/*', '*/*'].includes(range),
  );
}

/**
 * The type in which a client wants a payload; undefined for one that payloads cannot have.
 * @param own the type that it was stored with
 */
export function wantedType(header: string | undefined, own: ContentType): ContentType | undefined {
  if (header === undefined || header.trim() === '') return own;
  for (const { range } of acceptedBy(header)) {
    if (range === '*/*' || range === `${own.split('/', 1)[0] ?? ''}/*`) return own;
    const type = contentTypeOf(range);
    if (type) return type;
  }
  return undefined;
}
