/** Reads secrets in the forms that other programs write. */
import 'reflect-metadata';
import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  readAuthority,
  readRevocations,
  bundleOf,
  readCertificates,
  readKey,
  UnusableError,
} from './certificates.js';
import {
  AUTHORITY,
  AUTHORITY_PKCS7,
  LOCKED_KEY,
  LOCKED_PKCS12,
  NAMELESS_CERTIFICATE,
  OLD_PKCS12,
  OPEN_PKCS12,
  OTHER_AUTHORITY,
  OTHER_KEY,
  OTHER_REVOCATIONS,
  PKCS12,
  REVOCATIONS,
  SERVER_CERTIFICATE,
  SERVER_KEY,
} from './certificates.fixture.js';
import { readPkcs12 } from './pkcs12.js';

const MATCH = 'its private key and its certificate do not match';
const key = readKey(Buffer.from(SERVER_KEY));

describe('PKCS12', () => {
  it.each([
    ['with an empty pass phrase', PKCS12],
    ['without encryption', OPEN_PKCS12],
    ['from older programs', OLD_PKCS12],
  ])('%s is read with its chain', async (_, data) => {
    const read = await readPkcs12(data);
    const { pem, expiresAt } = bundleOf(read.key, read.certificates);
    const certificates = readCertificates(Buffer.from(pem)).map((one) => one.toString());
    expect(certificates).toEqual([SERVER_CERTIFICATE, AUTHORITY]);
    expect(readKey(Buffer.from(pem)).equals(key)).toBe(true);
    expect(expiresAt).toEqual(new Date(new X509Certificate(SERVER_CERTIFICATE).validTo));
  });

  it.each([
    ['with a pass phrase', LOCKED_PKCS12],
    ['that is truncated', PKCS12.subarray(0, 900)],
    ['of another kind', Buffer.from('nothing of the kind')],
  ])('%s is refused without revealing its contents', async (_, data) => {
    await expect(readPkcs12(data)).rejects.toEqual(
      new UnusableError('it cannot be read, or needs a pass phrase', 'pkcs12'),
    );
  });

  it('that would take long to decrypt is refused immediately', async () => {
    const data = Buffer.from(PKCS12);
    // The DER encoding of 2048 iterations, the largest count in two bytes.
    const at = data.indexOf(Buffer.from('02020800', 'hex'));
    data.writeUInt16BE(0x7fff, at + 2);
    await expect(readPkcs12(data)).rejects.toThrow('needs a pass phrase');
    const slow = Buffer.from(OLD_PKCS12);
    slow.writeUInt16BE(0x7fff, slow.indexOf(Buffer.from('02020800', 'hex')) + 2);
    await expect(readPkcs12(slow)).rejects.toThrow('it takes 32767 iterations to decrypt');
  });
});

describe('keys', () => {
  it('may be encrypted if the pass phrase is given', () => {
    expect(readKey(Buffer.from(LOCKED_KEY), Buffer.from('secret')).equals(key)).toBe(true);
    expect(() => readKey(Buffer.from(LOCKED_KEY))).toThrow(UnusableError);
    expect(() => readKey(Buffer.from(LOCKED_KEY), Buffer.from('wrong'))).toThrow(UnusableError);
  });

  it.each(['pkcs8', 'sec1'] as const)('may be in DER as %s', (type) => {
    const der = key.export({ format: 'der', type });
    expect(readKey(der).equals(key)).toBe(true);
  });

  it('must match the certificate', () => {
    const certificates = readCertificates(Buffer.from(SERVER_CERTIFICATE + AUTHORITY));
    expect(() => bundleOf(readKey(Buffer.from(OTHER_KEY)), certificates)).toThrow(MATCH);
  });
});

describe('certificates', () => {
  it.each<[string, Buffer]>([
    ['PEM', Buffer.from(`text before\n${AUTHORITY}`)],
    ['DER', new X509Certificate(AUTHORITY).raw],
    ['PKCS7 as PEM', Buffer.from(AUTHORITY_PKCS7)],
  ])('can be read as %s', (_, data) => {
    expect(readCertificates(data).map((one) => one.toString())).toEqual([AUTHORITY]);
  });

  it('must have a subject', () => {
    const nameless = readCertificates(Buffer.from(NAMELESS_CERTIFICATE));
    expect(() => bundleOf(readKey(Buffer.from(OTHER_KEY)), nameless)).toThrow('No CN or DNSName');
  });

  it.each(['', 'nothing', AUTHORITY.replace('MII', 'III')])('cannot be %j', (text) => {
    expect(() => readCertificates(Buffer.from(text))).toThrow(
      'it holds no certificate that can be read',
    );
  });
});

describe('certificate authorities', () => {
  it('are PEM certificates', () => {
    expect(readAuthority(Buffer.from(AUTHORITY + OTHER_AUTHORITY))).toEqual({
      pem: AUTHORITY + OTHER_AUTHORITY,
      expiresAt: new Date(new X509Certificate(AUTHORITY).validTo),
    });
    expect(() => readAuthority(Buffer.from(SERVER_KEY))).toThrow('It must be a valid x509 PEM');
  });

  it('must have signed their revocation lists', async () => {
    const list = Buffer.from(REVOCATIONS);
    expect(await readRevocations(list, AUTHORITY)).toBe(REVOCATIONS);
    expect(await readRevocations(list, OTHER_AUTHORITY + AUTHORITY)).toBe(REVOCATIONS);
    const other = readRevocations(Buffer.from(OTHER_REVOCATIONS), AUTHORITY);
    await expect(other).rejects.toThrow('It is not of the authority.');
    await expect(readRevocations(Buffer.from('no'), AUTHORITY)).rejects.toThrow(
      'It must be a valid x509 PEM format certificate revocation list.',
    );
  });
});
