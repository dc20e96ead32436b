/** Which attributes of an object are asked for. Public source: Amazon S3 API reference, GetObjectAttributes. */
import type { IncomingHttpHeaders } from 'node:http';
import { S3Error } from '../http/s3-error.js';

const ATTRIBUTES = ['ETag', 'Checksum', 'ObjectParts', 'StorageClass', 'ObjectSize'] as const;
export type Attribute = (typeof ATTRIBUTES)[number];

const HEADER = 'x-amz-object-attributes';
const MAX_PARTS = 1000;

/** @throws S3Error InvalidArgument for none, and for one that there is not */
export function attributesOf(headers: IncomingHttpHeaders): ReadonlySet<Attribute> {
  const names = [headers[HEADER] ?? []].flat().flatMap((value) => value.split(','));
  const asked = names.map((name) => name.trim()).filter((name) => name !== '');
  const unknown = asked.find((name) => !(ATTRIBUTES as readonly string[]).includes(name));
  if (asked.length > 0 && unknown === undefined) return new Set(asked as Attribute[]);
  throw new S3Error('InvalidArgument', {
    message: 'Invalid attribute name specified.',
    details: { ArgumentName: HEADER, ArgumentValue: unknown ?? '' },
  });
}

export interface PartPage {
  /** Only parts with higher numbers. */
  readonly after: number;
  readonly limit: number;
}

/** @throws S3Error InvalidArgument for what is no number */
export function partPageOf(headers: IncomingHttpHeaders): PartPage {
  return {
    after: numberIn(headers, 'x-amz-part-number-marker', 0),
    limit: Math.min(numberIn(headers, 'x-amz-max-parts', MAX_PARTS), MAX_PARTS),
  };
}

function numberIn(headers: IncomingHttpHeaders, name: string, standard: number): number {
  const value = headers[name];
  if (value === undefined) return standard;
  if (/^\d{1,9}$/.test(String(value))) return Number(value);
  throw new S3Error('InvalidArgument', {
    message: `${name} is not an integer or within integer range`,
    details: { ArgumentName: name, ArgumentValue: String(value) },
  });
}
