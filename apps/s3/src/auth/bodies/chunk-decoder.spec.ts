/** Includes the chunks in Amazon's documentation. */
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { describe, expect, it } from '@jest/globals';
import { S3Error } from '../../http/s3-error.js';
import { ChunkSignatures, ChunkDecoder, type ChunkDecoderOptions } from './chunk-decoder.js';
import { signingKey } from '../signatures/v4.js';

const SCOPE = { access: 'AKIAIOSFODNN7EXAMPLE', date: '20130524', region: 'us-east-1' };
const KEY = signingKey('wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', SCOPE);
const A64 = 'a'.repeat(65_536);
const A1 = 'a'.repeat(1_024);
const LENGTH = 66_560;
const ALL_A = `${LENGTH} bytes, da0d2e17cd5a8f14633c6b4aebad7e02`;

interface Decoded {
  /** Or its hash, where it is long. */
  readonly text: string;
  readonly trailers: Readonly<Record<string, string>>;
}

/** @param step bytes that arrive at once */
async function decoded(
  body: string,
  options: ChunkDecoderOptions,
  step = body.length,
): Promise<Decoded | string> {
  const decoder = new ChunkDecoder(options);
  const pieces: Buffer[] = [];
  const bytes = Buffer.from(body, 'latin1');
  const steps = Array.from({ length: Math.ceil(bytes.length / step) }, (_, index) =>
    bytes.subarray(index * step, (index + 1) * step),
  );
  try {
    await pipeline(Readable.from(steps, { objectMode: false }), decoder, async (all) => {
      for await (const piece of all as AsyncIterable<Buffer>) pieces.push(piece);
    });
  } catch (error) {
    if (error instanceof S3Error) return error.code;
    throw error;
  }
  return { text: shown(Buffer.concat(pieces)), trailers: decoder.trailers };
}

const shown = (bytes: Buffer): string =>
  bytes.length < 100
    ? bytes.toString('latin1')
    : `${bytes.length} bytes, ${createHash('md5').update(bytes).digest('hex')}`;

describe('signed chunks', () => {
  const seed = '4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9';
  const options = (): ChunkDecoderOptions => ({
    length: LENGTH,
    signatures: new ChunkSignatures(KEY, SCOPE, '20130524T000000Z', seed),
  });
  const [first, second, last] = [
    'ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648',
    '0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497',
    'b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9',
  ];
  const body = [
    `10000;chunk-signature=${first}\r\n${A64}\r\n400;chunk-signature=${second}\r\n${A1}\r\n`,
    `0;chunk-signature=${last}\r\n\r\n`,
  ].join('');

  it.each([body.length, 1_000, 7])(
    'are decoded as they arrive, %d bytes at a time',
    async (step) => {
      expect(await decoded(body, options(), step)).toEqual({ text: ALL_A, trailers: {} });
    },
  );

  it.each([
    ['modified bytes', body.replace('a\r\n400', 'b\r\n400'), 'SignatureDoesNotMatch'],
    ['a wrong signature', body.replace(second, first), 'SignatureDoesNotMatch'],
    ['a forged last chunk', body.replace(last, first), 'SignatureDoesNotMatch'],
    ['no signature', body.replace(`;chunk-signature=${first}`, ''), 'InvalidRequest'],
    ['no last chunk', body.slice(0, body.indexOf('0;chunk-signature=b6')), 'IncompleteBody'],
    ['half a chunk', body.slice(0, 500), 'IncompleteBody'],
    ['unannounced trailers', body.replace(/\r\n$/, 'x-a:b\r\n\r\n'), 'MalformedTrailerError'],
  ])('are refused with %s', async (_, forged, code) => {
    expect(await decoded(forged, options())).toBe(code);
  });
});

describe('chunks with a signed trailer', () => {
  const seed = '106e2a8a18243abcf37539882f36619c00e2dfc72633413f02d3b74544bfeb8e';
  const options = (): ChunkDecoderOptions => ({
    length: LENGTH,
    announced: ['x-amz-checksum-crc32c'],
    signatures: new ChunkSignatures(KEY, SCOPE, '20130524T000000Z', seed),
  });
  const body = [
    'b474d8862b1487a5145d686f57f013e54db672cee1c953b3010fb58501ef5aa2',
    '1c1344b170168f8e65b41376b44b20fe354e373826ccbbe2c1d40a8cae51e5c7',
    '2ca2aba2005185cf7159c6277faf83795951dd77a3a99e6e65d5c9f85863f992',
  ]
    .map((signature, index) => {
      const bytes = [A64, A1, ''][index] ?? '';
      return `${bytes.length.toString(16)};chunk-signature=${signature}\r\n${bytes}`;
    })
    .join('\r\n');
  const checksum = 'x-amz-checksum-crc32c:sOO8/Q==';
  const signature =
    'x-amz-trailer-signature:d81f82fc3505edab99d459891051a732e8730629a2e4a59689829ca17fe2e435';
  const trailers = { 'x-amz-checksum-crc32c': 'sOO8/Q==' };

  it.each([
    ['as Amazon sends them', `${checksum}\r\n${signature}\r\n\r\n`],
    ['with an empty line in between', `${checksum}\n\r\n${signature}\r\n\r\n`],
    ['without a final empty line', `${checksum}\r\n${signature}`],
  ])('are read %s', async (_, trailer) => {
    expect(await decoded(body + trailer, options())).toEqual({ text: ALL_A, trailers });
    expect(await decoded(body + trailer, options(), 999)).toMatchObject({ trailers });
  });

  it.each([
    ['a wrong value', `${checksum.replace('sO', 'sP')}\r\n${signature}\r\n\r\n`],
    ['a wrong signature', `${checksum}\r\n${signature.replace('d8', 'd9')}\r\n\r\n`],
  ])('are refused with %s', async (_, trailer) => {
    expect(await decoded(body + trailer, options())).toBe('SignatureDoesNotMatch');
  });

  it.each([
    '\r\n',
    `${checksum}\r\n\r\n`,
    '\r\n'.repeat(9_000),
    `${checksum}\r\nx-amz-meta-a:b\r\n${signature}\r\n\r\n`,
  ])('are refused with an unsigned or unannounced trailer', async (trailer) => {
    expect(await decoded(body + trailer, options())).toBe('MalformedTrailerError');
  });
});

const SUM = 'x-amz-checksum-crc32:NhCmhg==';

describe('unsigned chunks', () => {
  const options: ChunkDecoderOptions = { length: 5, announced: ['x-amz-checksum-crc32'] };
  const trailers = { 'x-amz-checksum-crc32': 'NhCmhg==' };

  it.each([
    '5\r\nhello\r\n0\r\nx-amz-checksum-crc32:NhCmhg==\r\n\r\n',
    '2\r\nhe\r\n3\r\nllo\r\n0\r\nX-Amz-Checksum-CRC32: NhCmhg== \r\n\r\n',
    '0005\nhello\n0\nx-amz-checksum-crc32:NhCmhg==\n',
    '5\r\nhello\r\n0\r\nx-amz-checksum-crc32:NhCmhg==',
    // As minio-go writes it.
    '5\r\nhello\r\n0\r\nx-amz-checksum-crc32:NhCmhg==\n\r\n\r\n',
  ])('are decoded whatever their framing: %j', async (body) => {
    expect(await decoded(body, options)).toEqual({ text: 'hello', trailers });
    expect(await decoded(body, options, 1)).toEqual({ text: 'hello', trailers });
  });

  it.each([
    ['fewer bytes than announced', '4\r\nhell\r\n0\r\n\r\n', 'IncompleteBody'],
    ['more bytes than announced', '6\r\nhello!\r\n0\r\n\r\n', 'IncompleteBody'],
    ['no last chunk', '5\r\nhello\r\n', 'IncompleteBody'],
    ['an end within a line', '5\r\nhello\r\n0', 'IncompleteBody'],
    ['an empty body', '', 'IncompleteBody'],
    ['a chunk longer than its stated length', '4\r\nhello\r\n0\r\n\r\n', 'IncompleteBody'],
    ['a chunk shorter than its stated length', '6\r\nhello\r\n0\r\n\r\n', 'IncompleteBody'],
    ['an invalid length', 'five\r\nhello\r\n0\r\n\r\n', 'InvalidRequest'],
    ['a negative length', '-5\r\nhello\r\n0\r\n\r\n', 'InvalidRequest'],
    ['a signature', `5;chunk-signature=${'0'.repeat(64)}\r\nhello\r\n`, 'InvalidRequest'],
    ['an endless line', '5'.repeat(10_000), 'InvalidRequest'],
    ['bytes after the last chunk', `5\r\nhello\r\n0\r\n${SUM}\r\n\r\nmore`, 'InvalidRequest'],
    ['a trailer without a colon', `5\r\nhello\r\n0\r\nnonsense\r\n\r\n`, 'MalformedTrailerError'],
    [
      'a trailer without a name',
      `5\r\nhello\r\n0\r\n:a\r\n${SUM}\r\n\r\n`,
      'MalformedTrailerError',
    ],
    ['no trailer', '5\r\nhello\r\n0\r\n\r\n', 'MalformedTrailerError'],
    ['an unannounced trailer', `5\r\nhello\r\n0\r\n${SUM}\r\na:b\r\n\r\n`, 'MalformedTrailerError'],
    ['a repeated trailer', `5\r\nhello\r\n0\r\n${SUM}\r\n${SUM}\r\n\r\n`, 'MalformedTrailerError'],
    [
      'endless trailers',
      `5\r\nhello\r\n0\r\n${SUM}\r\n${'\r\n'.repeat(9_000)}`,
      'MalformedTrailerError',
    ],
  ])('are refused with %s', async (_, body, code) => {
    expect(await decoded(body, options)).toBe(code);
  });
});
