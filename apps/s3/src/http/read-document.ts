/**
 * Documents that clients send as bodies: small ones, held as a whole.
 *
 * Always holds: more than the limit is never held, and a document that is read is the one that its
 * client has sent, as far as the client said how to tell.
 */
import { createHash } from 'node:crypto';
import type { S3Call } from '../operations/operation.js';
import { S3Error } from './s3-error.js';
import { headerOf } from './s3-request.js';
import { readXml, type XmlElement } from './xml.js';

/** Bytes. */
const MAX_DOCUMENT = 1024 * 1024;

type Sent = Pick<S3Call, 'request' | 'body'>;

/**
 * @param maxBytes 1 MiB by default
 * @returns its bytes; none if the request has no body
 * @throws S3Error EntityTooLarge, InvalidDigest, BadDigest, and what the body fails with
 */
export async function documentOf(
  { request, body }: Sent,
  maxBytes = MAX_DOCUMENT,
): Promise<Buffer> {
  if ((body.length ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body.open() as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  const document = Buffer.concat(chunks);
  requireMd5(document, headerOf(request, 'content-md5'));
  return document;
}

/**
 * @param root the name of its outermost element
 * @throws S3Error MissingRequestBodyError, MalformedXML, and those of `documentOf`
 */
export async function xmlOf(sent: Sent, root: string, maxBytes?: number): Promise<XmlElement> {
  const document = await optionalXmlOf(sent, root, maxBytes);
  if (!document) throw new S3Error('MissingRequestBodyError');
  return document;
}

/**
 * The same of a request that may come without a body.
 * @throws S3Error MalformedXML, and those of `documentOf`
 */
export async function optionalXmlOf(
  sent: Sent,
  root: string,
  maxBytes?: number,
): Promise<XmlElement | undefined> {
  const document = await documentOf(sent, maxBytes);
  return document.length === 0 ? undefined : readXml(utf8Of(document), root);
}

/** @throws S3Error MalformedXML */
function utf8Of(document: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(document);
  } catch (cause) {
    throw new S3Error('MalformedXML', { message: 'The document is no UTF-8.', cause });
  }
}

/** Of the 16 bytes of an MD5. */
const MD5 = /^[A-Za-z0-9+/]{21}[AQgw]==$/;

function requireMd5(document: Buffer, expected: string | undefined): void {
  if (expected === undefined) return;
  if (!MD5.test(expected)) {
    throw new S3Error('InvalidDigest', {
      message: `The Content-MD5 you specified is not valid: ${expected}.`,
    });
  }
  const computed = createHash('md5').update(document).digest('base64');
  if (computed === expected) return;
  const details = { ExpectedDigest: expected, CalculatedDigest: computed };
  throw new S3Error('BadDigest', { details });
}

function tooLarge(maxBytes: number): S3Error {
  const message = `The document is larger than ${maxBytes} bytes.`;
  return new S3Error('EntityTooLarge', { message, details: { MaxSizeAllowed: maxBytes } });
}
