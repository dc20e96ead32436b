/**
 * Payloads of requests: the bytes behind their encoded forms. Public source: Key Manager API reference,
 * "POST /v1/secrets" and "PUT /v1/secrets/{uuid}".
 */
import {
  DomainError,
  InvalidInputError,
  errorOf,
  invalid,
} from '@cumulet/common/errors/domain-error';
import { CONTENT_TYPES, contentTypeOf, type ContentType } from './content-types.js';

export interface Payload {
  readonly contentType: ContentType;
  readonly bytes: Buffer;
}

export class PayloadTooLargeError extends errorOf(
  'too-large',
  (bytes: number, limit: number) => `The payload has ${bytes} bytes; at most ${limit} are allowed.`,
) {}

export class NoPayloadGivenError extends invalid(
  'Invalid input: payload must have at least one byte.',
) {}

export interface WrittenPayload {
  readonly payload?: string;
  readonly payload_content_type?: string | null;
  readonly payload_content_encoding?: string;
}

/**
 * The payload of a JSON body; undefined without one.
 * @throws InvalidInputError for properties that contradict each other
 * @throws PayloadTooLargeError
 */
export function writtenPayload(body: WrittenPayload, maxBytes: number): Payload | undefined {
  const { payload, payload_content_type: type, payload_content_encoding: encoding } = body;
  if (payload === undefined) {
    // Clients send an encoding alone where the payload follows in another request.
    if (type === undefined) return undefined;
    throw new InvalidInputError(
      'Invalid input: payload is required where payload_content_type is given.',
    );
  }
  if (type === undefined || type === null)
    throw new InvalidInputError(
      'Invalid input: payload_content_type is required where payload is given.',
    );
  const contentType = contentTypeOf(type);
  if (!contentType)
    throw new InvalidInputError(
      `Invalid input: payload_content_type '${type}' is not one of ${CONTENT_TYPES.join(', ')}.`,
    );
  const isText = contentType === 'text/plain';
  if (isText && encoding !== undefined)
    throw new InvalidInputError(
      `Invalid input: payload_content_encoding must not be given for ${contentType}.`,
    );
  if (!isText && encoding === undefined)
    throw new InvalidInputError(
      `Invalid input: payload_content_encoding must be base64 for ${contentType}.`,
    );
  const bytes = isText ? Buffer.from(payload) : fromBase64(payload, 'payload');
  // Half of a surrogate pair would come back as another character.
  if (isText && bytes.toString() !== payload)
    throw new InvalidInputError(
      'Invalid input: payload must not contain half of a surrogate pair.',
    );
  return limited({ contentType, bytes }, maxBytes);
}

/**
 * The payload that is a request's body.
 * @throws DomainError of kind `unsupported-media-type`, or as `writtenPayload`
 */
export function rawPayload(
  body: unknown,
  type: string | undefined,
  encoding: string | undefined,
  maxBytes: number,
): Payload {
  const contentType = type === undefined ? undefined : contentTypeOf(type);
  if (contentType === undefined || contentType === 'application/pkcs8') {
    const given = type === undefined ? 'none is given' : `'${type}' is neither`;
    throw new DomainError(
      'unsupported-media-type',
      `Content-Type must be text/plain or application/octet-stream; ${given}.`,
    );
  }
  const sent = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
  if (encoding === undefined || encoding === 'binary')
    return limited(checkedText({ contentType, bytes: sent }), maxBytes);
  if (encoding !== 'base64' || contentType === 'text/plain')
    throw new DomainError(
      'unsupported-media-type',
      `Content-Encoding '${encoding}' is not supported for ${contentType}.`,
    );
  const bytes = fromBase64(sent.toString('latin1'), 'the body');
  return limited({ contentType, bytes }, maxBytes);
}

/** Line breaks are skipped, as `base64` writes them. */
function fromBase64(text: string, what: string): Buffer {
  const bare = text.replaceAll(/\s/g, '');
  if (/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(bare))
    return Buffer.from(bare, 'base64');
  throw new InvalidInputError(`Invalid input: ${what} is not base64.`);
}

function checkedText(payload: Payload): Payload {
  if (payload.contentType !== 'text/plain' || isUtf8Text(payload.bytes)) return payload;
  throw new InvalidInputError('Invalid input: the body is not text in UTF-8.');
}

function limited(payload: Payload, maxBytes: number): Payload {
  const { length } = payload.bytes;
  if (length === 0) throw new NoPayloadGivenError();
  if (length > maxBytes) throw new PayloadTooLargeError(length, maxBytes);
  return payload;
}

export function isUtf8Text(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
