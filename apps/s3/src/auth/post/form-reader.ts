/**
 * Reads a form (`multipart/form-data`) up to its file, which is streamed. Fields after the file are
 * ignored.
 * Public source: RFC 7578; Amazon S3 API reference, "POST Object".
 *
 * Always holds: the fields in memory are limited; a file ends without an error only at the form's
 * boundary.
 */
import {
  PassThrough,
  pipeline,
  type Readable,
  Transform,
  type TransformCallback,
  Writable,
} from 'node:stream';
import {
  Busboy,
  type BusboyConfig,
  type BusboyHeaders,
  type BusboyInstance,
} from '@fastify/busboy';
import { S3Error, invalidArgument } from '../../http/s3-error.js';
import type { RequestBody } from '../bodies/request-body.js';
import type { FormFields, SizeLimits } from './post-policy.js';

export interface Form {
  /** By lower-case name; of a name that comes twice, the first counts. */
  readonly fields: ReadonlyMap<string, string>;
  /** Of the file, without folders; empty if it has none. */
  readonly filename: string;
  /** It fails with an S3Error: IncompleteBody, MalformedPOSTRequest. */
  readonly file: Readable;
}

/** Bytes of all names and values of fields before the file. */
const MAX_FIELD_BYTES = 20 * 1024;
const MAX_FIELDS = 200;
/**
 * Bytes before the file, including boundaries and headers: the parser reports a field only at its
 * end, and never the text before the first one.
 */
const MAX_BYTES_BEFORE = 64 * 1024;
/** The parser stops only between two writes, so what precedes the file comes in pieces. */
const PIECE = 1024;
const LIMITS: BusboyConfig['limits'] = {
  fieldSize: MAX_FIELD_BYTES,
  fields: MAX_FIELDS,
  files: 1,
  parts: MAX_FIELDS + 1,
  headerPairs: 32,
  headerSize: 8 * 1024,
};

/**
 * @param contentType of the request, with the boundary
 * @param body of the request
 * @throws S3Error RequestIsNotMultiPartContent, MalformedPOSTRequest, InvalidArgument for a form
 * without a file, MaxPostPreDataLengthExceeded, IncompleteBody
 */
export async function readForm(contentType: string | undefined, body: Readable): Promise<Form> {
  const parser = parserFor(contentType);
  let [isRefused, isOver] = [false, false];
  let before = 0;
  const pieces = new Writable({
    write(chunk: Buffer, _encoding, done) {
      const writeFrom = (at: number): void => {
        if (isRefused || at >= chunk.length) {
          done();
          return;
        }
        const piece = chunk.subarray(at, isOver ? undefined : at + PIECE);
        if (!isOver) before += piece.length;
        if (before > MAX_BYTES_BEFORE) {
          done(tooLarge());
          return;
        }
        parser.write(piece, () => writeFrom(at + piece.length));
      };
      writeFrom(0);
    },
    final(done) {
      parser.end();
      done();
    },
  });
  try {
    return await new Promise<Form>((resolve, reject) => {
      const fields = new Map<string, string>();
      let size = 0;
      const fail = (cause: unknown): void => {
        // Once the file has begun, it is the file that fails.
        isRefused = !isOver;
        reject(asS3Error(cause));
      };
      parser.on('field', (name, value, _isNameCut, isCut) => {
        if (isOver) return;
        size += Buffer.byteLength(name) + Buffer.byteLength(value);
        if (isCut || size > MAX_FIELD_BYTES) fail(tooLarge());
        if (!fields.has(name.toLowerCase())) fields.set(name.toLowerCase(), value);
      });
      parser.on('fieldsLimit', () => fail(tooLarge()));
      parser.on('partsLimit', () => fail(tooLarge()));
      parser.on('file', (_name, file, filename: string | undefined) => {
        isOver = true;
        const guarded = guard(file, body, parser);
        resolve({ fields, filename: filename ?? '', file: guarded });
      });
      parser.on('finish', () => reject(noFile()));
      parser.on('error', fail);
      body.on('error', fail);
      pieces.on('error', fail);
      body.pipe(pieces);
    });
  } catch (error) {
    body.unpipe(pieces);
    body.destroy();
    throw error;
  }
}

/** The file, which fails where the form does; who stops reading it releases the request. */
function guard(file: Readable, body: Readable, parser: BusboyInstance): Readable {
  const guarded = new PassThrough();
  const breakOff = (cause: unknown): void => void guarded.destroy(asS3Error(cause));
  for (const source of [file, body, parser]) source.on('error', breakOff);
  guarded.on('error', () => undefined);
  guarded.once('close', () => body.destroy());
  file.pipe(guarded);
  return guarded;
}

function parserFor(contentType: string | undefined): BusboyInstance {
  if (!/^multipart\/form-data\b/i.test(contentType ?? ''))
    throw new S3Error('RequestIsNotMultiPartContent');
  const headers = { 'content-type': contentType } as BusboyHeaders;
  const isPartAFile = (name: string | undefined): boolean => name?.toLowerCase() === 'file';
  try {
    return new Busboy({ headers, limits: LIMITS, isPartAFile });
  } catch (cause) {
    throw new S3Error('MalformedPOSTRequest', { cause });
  }
}

function asS3Error(error: unknown): S3Error {
  return error instanceof S3Error ? error : new S3Error('MalformedPOSTRequest', { cause: error });
}

function noFile(): S3Error {
  return invalidArgument('file', '0', 'POST requires exactly one file upload per request.');
}

function tooLarge(): S3Error {
  return new S3Error('MaxPostPreDataLengthExceeded', {
    message: `Before the file, a form may have ${MAX_FIELDS} fields of ${MAX_FIELD_BYTES} bytes together, and ${MAX_BYTES_BEFORE} bytes in all.`,
  });
}

/** The file of a form as a body, whose length is known in the end. */
export class FormFile implements RequestBody {
  readonly length = undefined;

  /** @param fields of its form. @param limits of its form's policy */
  constructor(
    readonly fields: FormFields,
    private readonly file: Readable,
    private readonly limits: SizeLimits,
  ) {}

  open(): Readable {
    const check = new LengthCheck(this.limits);
    pipeline(this.file, check, () => undefined);
    return check;
  }

  trailers(): Readonly<Record<string, string>> {
    return {};
  }
}

/** Lets bytes pass, and fails if they are too many or in the end too few. */
class LengthCheck extends Transform {
  #size = 0;

  constructor(private readonly limits: SizeLimits) {
    super();
  }

  override _transform(bytes: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const { max } = this.limits;
    this.#size += bytes.length;
    if (this.#size <= max) done(null, bytes);
    else done(new S3Error('EntityTooLarge', { details: { MaxSizeAllowed: max } }));
  }

  override _flush(done: TransformCallback): void {
    const { min } = this.limits;
    const details = { ProposedSize: this.#size, MinSizeAllowed: min };
    done(this.#size < min ? new S3Error('EntityTooSmall', { details }) : null);
  }
}
