import { ListBucketsCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestS3 } from '../s3.fixture.js';

let s3: TestS3;

beforeAll(async () => {
  s3 = await TestS3.start();
});
afterAll(() => s3.stop());

const codeOf = async (sent: Promise<unknown>): Promise<string> => {
  try {
    await sent;
    return 'accepted';
  } catch (error) {
    return (error as Error).name;
  }
};

describe('a request signed by the SDK', () => {
  it('acts for the project of its key', async () => {
    const list = new ListBucketsCommand();
    const client = s3.client();
    expect(['accepted', 'NotImplemented']).toContain(await codeOf(client.send(list)));
  });

  it('is refused for an unknown key, a wrong secret and a wrong clock', async () => {
    const list = (): ListBucketsCommand => new ListBucketsCommand();
    const unknown = s3.client({ ...s3.member, access: 'unknown' });
    expect(await codeOf(unknown.send(list()))).toBe('InvalidAccessKeyId');
    const forged = s3.client({ ...s3.member, secret: 'forged' });
    expect(await codeOf(forged.send(list()))).toBe('SignatureDoesNotMatch');
    const late = s3.client(s3.member, { systemClockOffset: 16 * 60_000 });
    expect(await codeOf(late.send(list()))).toBe('RequestTimeTooSkewed');
  });
});

it('a signature mismatch reveals no secret', async () => {
  const forged = s3.client({ ...s3.member, secret: 'forged' });
  const error = await forged.send(new ListBucketsCommand()).catch((thrown: unknown) => thrown);
  expect(JSON.stringify(error)).not.toContain(s3.member.secret);
});
