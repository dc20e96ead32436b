/**
 * The request to complete an upload: the parts, and the expected object. Public source:
 * Amazon S3 API reference, CompleteMultipartUpload. Pure.
 */
import type { IncomingHttpHeaders } from 'node:http';
import {
  CHECKSUM_ALGORITHMS,
  checksumHeaderOf,
  type ChecksumAlgorithm,
  type StoredChecksum,
} from '../content/checksums/checksum.js';
import {
  customerKeyOf,
  requireSameMethod,
  type CustomerKey,
} from '../content/encryption/encryption.js';
import { MAX_PARTS, partNumberOf } from '../content/part.entity.js';
import { S3Error, invalidArgument } from '../http/s3-error.js';
import { malformed, readXml, type XmlElement } from '../http/xml.js';
import { plainTag } from '../objects/conditions.js';
import type { Upload } from './upload.entity.js';

/**
 * The parts that a client completes an upload with. Public source: Amazon S3 API reference,
 * CompleteMultipartUpload. Pure.
 */
export interface ListedPart {
  readonly number: number;
  /** Without quotes. */
  readonly etag: string;
  /** In base64, as far as the client names them. */
  readonly checksums: readonly (readonly [ChecksumAlgorithm, string])[];
}

const BOUNDS = { elements: 6 * MAX_PARTS };

/**
 * @returns the parts in ascending order; of those that are listed twice, the one behind
 * @throws S3Error MalformedXML, InvalidArgument for a number that no part can have,
 * InvalidPartOrder
 */
export function listedPartsOf(xml: string): ListedPart[] {
  const elements = readXml(xml, 'CompleteMultipartUpload', BOUNDS).children('Part');
  if (elements.length === 0) throw malformed('The request lists no parts.');
  if (elements.length > MAX_PARTS)
    throw malformed(`The request lists ${elements.length} parts; ${MAX_PARTS} are allowed.`);
  const parts: ListedPart[] = [];
  for (const part of elements.map(listedPart)) {
    const { number } = parts.at(-1) ?? { number: 0 };
    if (part.number < number)
      throw new S3Error('InvalidPartOrder', { details: { PartNumber: part.number } });
    if (part.number === number) parts.pop();
    parts.push(part);
  }
  return parts;
}

function listedPart(element: XmlElement): ListedPart {
  return {
    number: partNumberOf(element.need('PartNumber').text.trim()),
    etag: plainTag(element.need('ETag').text.trim()),
    checksums: CHECKSUM_ALGORITHMS.flatMap((algorithm) => {
      const value = element.child(`Checksum${algorithm}`)?.text.trim() ?? '';
      return value === '' ? [] : [[algorithm, value] as const];
    }),
  };
}

/**
 * The size and checksum of the object that the client of CompleteMultipartUpload expects. Public
 * source: Amazon S3 API reference, CompleteMultipartUpload. Pure.
 */
export interface ExpectedObject {
  /** Bytes. */
  readonly size: number | undefined;
  readonly type: string | undefined;
  /** The client's key of the parts. */
  readonly key: CustomerKey | undefined;
  /** The request's, which may repeat the encryption of the upload. */
  readonly headers: IncomingHttpHeaders;
  /** In base64, with or without the number of parts. */
  readonly checksums: readonly (readonly [ChecksumAlgorithm, string])[];
}

/** @throws S3Error InvalidArgument for an invalid size */
export function expectationOf(headers: IncomingHttpHeaders): ExpectedObject {
  const size = headers['x-amz-mp-object-size'];
  const type = headers['x-amz-checksum-type'];
  if (size !== undefined && !/^\d{1,15}$/.test(String(size)))
    throw invalidArgument(
      'x-amz-mp-object-size',
      String(size),
      'The value of x-amz-mp-object-size is not a number of bytes.',
    );
  return {
    size: size === undefined ? undefined : Number(size),
    key: customerKeyOf(headers),
    headers,
    type: type === undefined ? undefined : String(type).toUpperCase(),
    checksums: CHECKSUM_ALGORITHMS.flatMap((algorithm) => {
      const value = headers[checksumHeaderOf(algorithm)];
      return value === undefined ? [] : [[algorithm, String(value)] as const];
    }),
  };
}

export interface MadeObject {
  readonly size: number;
  readonly checksum: StoredChecksum;
}

/** @throws S3Error InvalidRequest for another size, type or algorithm; InvalidArgument; BadDigest */
export function requireExpected(
  { size, type, key, headers, checksums }: ExpectedObject,
  upload: Pick<Upload, 'checksumAlgorithm' | 'encryption'>,
  made: MadeObject,
): void {
  const { checksum } = made;
  requireSameMethod(headers, upload.encryption);
  requireKeyOf(upload, key);
  if (size !== undefined && size !== made.size)
    throw new S3Error('InvalidRequest', {
      message: `The provided 'x-amz-mp-object-size' header value ${size} does not match what was computed: ${made.size}`,
    });
  if (type !== undefined && type !== checksum.type)
    throw new S3Error('InvalidRequest', {
      message: `The upload was created with the checksum type ${checksum.type}, and is to be completed with ${type}.`,
    });
  for (const [algorithm, value] of checksums) {
    if (algorithm !== checksum.algorithm)
      throw new S3Error('InvalidRequest', {
        message: `Checksum Type mismatch occurred, expected checksum Type: ${checksum.algorithm.toLowerCase()}, actual checksum Type: ${algorithm.toLowerCase()}`,
      });
    if (value !== checksum.value && value !== checksum.value.replace(/-\d+$/, ''))
      throw new S3Error('BadDigest', {
        message: `The ${algorithm.toLowerCase()} you specified did not match the calculated checksum.`,
      });
  }
}

/** Checksums of parts under a client's key require that key. */
function requireKeyOf(
  { encryption, checksumAlgorithm }: Pick<Upload, 'encryption' | 'checksumAlgorithm'>,
  key: CustomerKey | undefined,
): void {
  const md5 = encryption?.kind === 'SSE-C' ? encryption.keyMd5 : undefined;
  const isNeeded = md5 !== undefined && checksumAlgorithm !== null;
  if (key === undefined ? !isNeeded : key.md5 === md5) return;
  throw new S3Error('InvalidRequest', {
    message:
      'The multipart upload was created with a key of the client and checksums; completing it needs the same key.',
  });
}
