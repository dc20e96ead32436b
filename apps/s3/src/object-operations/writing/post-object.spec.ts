import { describe, expect, it } from '@jest/globals';
import { postAnswer } from './put-object.operation.js';

const stored = {
  request: { isEncrypted: false, host: 'h:9000', rawPath: '/b' },
  bucket: { name: 'b' },
  key: 'a b/ü',
} as never;

const answer = (fields: Record<string, string>) =>
  postAnswer(stored, new Map(Object.entries(fields)), { etag: '"e"' });
const location = 'http://h:9000/b/a%20b/%C3%BC';

describe('a form is answered', () => {
  it.each([[{}], [{ success_action_status: '404' }], [{ redirect: 'javascript:alert(1)' }]])(
    'without a body: %j',
    (fields: Record<string, string>) => {
      expect(answer(fields)).toEqual({ status: 204, headers: { etag: '"e"', location } });
    },
  );

  it('with a document that has no namespace', () => {
    const { status, body } = answer({ success_action_status: '201' });
    expect(status).toBe(201);
    expect(body).toContain(
      `<PostResponse><Location>${location}</Location><Bucket>b</Bucket><Key>a b/ü</Key><ETag>&quot;e&quot;</ETag></PostResponse>`,
    );
  });

  it('with a redirect that names the stored object', () => {
    expect(answer({ success_action_redirect: 'http://x/y?a=1' })).toMatchObject({
      status: 303,
      headers: { location: 'http://x/y?a=1&bucket=b&key=a+b%2F%C3%BC&etag=%22e%22' },
    });
  });
});
