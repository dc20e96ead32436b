/**
 * The parts that a client completes an upload with. Public source: Amazon S3 API reference,
 * CompleteMultipartUpload. Pure.
 */
import { CHECKSUM_ALGORITHMS, type ChecksumAlgorithm } from '../content/checksums/checksum.js';
import { S3Error } from '../http/s3-error.js';
import { malformed, readXml, type XmlElement } from '../http/xml.js';
import { plainTag } from '../objects/entity-tags.js';
import { MAX_PARTS, partNumberOf } from './part-number.js';

export interface ListedPart {
  readonly number: number;
  /** Without quotes. */
  readonly etag: string;
  /** In base64; those that the client knows. */
  readonly checksums: readonly (readonly [ChecksumAlgorithm, string])[];
}

/** With a number, a tag and a checksum or two of each. */
const BOUNDS = { elements: 6 * MAX_PARTS };

/**
 * @returns the parts in ascending order; of those that are listed twice, the one behind
 * @throws S3Error MalformedXML, InvalidArgument for a number that no part can have,
 * InvalidPartOrder
 */
export function listedPartsOf(xml: string): ListedPart[] {
  const elements = readXml(xml, 'CompleteMultipartUpload', BOUNDS).children('Part');
  if (elements.length === 0) throw malformed('The request lists no part.');
  if (elements.length > MAX_PARTS)
    throw malformed(`The request lists ${elements.length} parts: there may be ${MAX_PARTS}.`);
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
