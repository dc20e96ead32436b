import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { S3Error } from '../../http/s3-error.js';
import { type Form, readForm } from './form-reader.js';

const TYPE = 'multipart/form-data; boundary=line';
const field = (name: string, value: string, more = ''): string =>
  `--line\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
const END = '--line--\r\n';

const read = (body: string | Readable, type: string | undefined = TYPE): Promise<Form> =>
  readForm(type, typeof body === 'string' ? Readable.from([Buffer.from(body)]) : body);

describe('a form', () => {
  it('has fields and a file', async () => {
    const form = await read(
      field('Key', 'ä/${filename}') +
        // Some clients name a file for every field.
        field('acl', 'private', '; filename="acl"') +
        field('acl', 'another') +
        field('file', 'bytes\r\n--lin', '; filename="C:\\a\\ü.txt"') +
        field('late', 'unread') +
        END,
    );
    expect([...form.fields]).toEqual([
      ['key', 'ä/${filename}'],
      ['acl', 'private'],
    ]);
    expect(form.filename).toBe('ü.txt');
    expect(await text(form.file)).toBe('bytes\r\n--lin');
  });

  it('may have more fields after its file than are read before it', async () => {
    const fields = field('a', '').repeat(199);
    const { file } = await read(fields + field('file', 'bytes', '; filename="f"') + fields + END);
    expect(await text(file)).toBe('bytes');
  });

  it('is read as it arrives', async () => {
    let given = 0;
    const body = Readable.from(
      (function* () {
        yield Buffer.from(field('file', '').slice(0, -2));
        for (; given < 1000; given++) yield Buffer.alloc(64 * 1024);
        yield Buffer.from(`\r\n${END}`);
      })(),
      { objectMode: false },
    );
    const { file } = await read(body);
    expect(given).toBeLessThan(20);
    let size = 0;
    for await (const chunk of file) size += (chunk as Buffer).length;
    expect(size).toBe(1000 * 64 * 1024);
  });

  it.each([
    ['of another content type', '', 'application/json', 'RequestIsNotMultiPartContent'],
    ['without a content type', '', undefined, 'RequestIsNotMultiPartContent'],
    ['without a boundary', '', 'multipart/form-data', 'MalformedPOSTRequest'],
    ['without a file', field('key', 'a') + END, TYPE, 'InvalidArgument'],
    ['that is empty', END, TYPE, 'InvalidArgument'],
    ['that is truncated in a field', field('key', 'a').slice(0, -4), TYPE, 'MalformedPOSTRequest'],
    ['with too large a field', field('key', 'a'.repeat(30_000)) + END, TYPE, 'MaxPostPre'],
    [
      'with fields that are too large together',
      field('a', 'a'.repeat(9_000)).repeat(3) + END,
      TYPE,
      'MaxPostPre',
    ],
    ['with too many empty parts', '--line\r\n'.repeat(300) + END, TYPE, 'MaxPostPre'],
    ['with too many fields', field('a', '').repeat(300) + END, TYPE, 'MaxPostPre'],
    ['that never starts', '-\r\n'.repeat(30_000), TYPE, 'MaxPostPre'],
    ['with a field that never ends', field('key', 'a'.repeat(100_000)), TYPE, 'MaxPostPre'],
    ['with too many headers', `--line\r\n${'A: b\r\n'.repeat(20_000)}`, TYPE, 'MaxPostPre'],
  ])('is refused %s', async (_, body, type, code) => {
    const source = Readable.from([Buffer.from(body)]);
    const error: unknown = await readForm(type, source).catch((thrown: unknown) => thrown);
    expect((error as S3Error).code).toContain(code);
  });

  it('fails in its file if it is truncated there', async () => {
    const { file } = await read(field('file', 'bytes').slice(0, -2));
    await expect(text(file)).rejects.toMatchObject({ code: 'MalformedPOSTRequest' });
  });

  it('fails in its file if its request fails', async () => {
    const body = new Readable({ read: () => undefined });
    body.push(field('file', 'bytes').slice(0, -2));
    const { file } = await read(body);
    const ended = text(file);
    body.destroy(new S3Error('IncompleteBody'));
    await expect(ended).rejects.toMatchObject({ code: 'IncompleteBody' });
  });
});
