/**
 * Documents that clients send as bodies: small ones, held as a whole.
 *
 * Always holds: more than the limit is never held, and a document that is read is the one that its
 * client has sent, as far as the client said how to tell.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { checksumRequestOf } from '../content/checksums/checksum.js';
import { ContentMeter } from '../content/received.js';
import { S3Error } from '../http/s3-error.js';
import { headerOf } from '../http/s3-request.js';
import { readXml, type XmlElement } from '../http/xml.js';
import type { S3Call } from './operation.js';

/** Bytes. */
const MAX_DOCUMENT = 1024 * 1024;

type Sent = Pick<S3Call, 'request' | 'body'>;

/**
 * @param maxBytes 1 MiB by default
 * @param headers that may have a checksum of the document; by default those of the request
 * @returns its bytes; none if the request has no body
 * @throws S3Error EntityTooLarge, InvalidDigest, BadDigest for other bytes than Content-MD5 or a
 * checksum says, and what the body fails with
 */
export async function documentOf(
  { request, body }: Sent,
  maxBytes = MAX_DOCUMENT,
  headers: IncomingHttpHeaders = request.headers,
): Promise<Buffer> {
  const meter = await ContentMeter.begin(body, {
    checksum: checksumRequestOf(headers),
    contentMd5: headerOf(request, 'content-md5'),
    encryption: undefined,
    maxBytes,
  });
  const chunks: Buffer[] = [];
  for await (const chunk of body.open() as AsyncIterable<Buffer>) {
    meter.update(chunk);
    chunks.push(chunk);
  }
  meter.end();
  return Buffer.concat(chunks);
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
    throw new S3Error('MalformedXML', { message: 'The document is not valid UTF-8.', cause });
  }
}
