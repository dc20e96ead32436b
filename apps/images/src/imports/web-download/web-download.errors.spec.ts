import { describe, expect, it } from '@jest/globals';
import { downloadFailure, HostRefusedError } from './web-download.errors.js';

const withCode = (code: string): Error => Object.assign(new Error('10.0.0.1 hunter2'), { code });

describe('downloadFailure', () => {
  it.each([
    ['ECONNREFUSED', 'it refuses connections'],
    ['EHOSTUNREACH', 'it cannot be reached'],
    ['UND_ERR_CONNECT_TIMEOUT', 'it does not answer'],
    ['UND_ERR_HEADERS_TIMEOUT', 'it sent nothing for 60 seconds'],
    ['UND_ERR_BODY_TIMEOUT', 'it sent nothing for 60 seconds'],
    ['UND_ERR_SOCKET', 'it closed the connection'],
    ['CERT_HAS_EXPIRED', 'its certificate has expired'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'its certificate is not trusted'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'its certificate is for another host'],
    ['HPE_INVALID_CONSTANT', 'what it sent could not be read'],
    ['', 'what it sent could not be read'],
  ])('says of %s that %s, and nothing else', (code, reason) => {
    const failure = downloadFailure(withCode(code), 'images.example', 60);
    expect((failure as Error).message).toBe(
      `The download from images.example broke off: ${reason}.`,
    );
  });

  it('reports the last of several addresses', () => {
    const all = Object.assign(new Error(), {
      errors: [withCode('EHOSTUNREACH'), withCode('ECONNREFUSED')],
    });
    expect((downloadFailure(all, 'images.example', 60) as Error).message).toContain('refuses');
  });

  it('keeps errors that have a reason', () => {
    const refused = new HostRefusedError('images.example');
    expect(downloadFailure(refused, 'images.example', 60)).toBe(refused);
  });
});
