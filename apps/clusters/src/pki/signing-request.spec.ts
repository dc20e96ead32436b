import 'reflect-metadata'; // before @peculiar/x509, which injects its own parts by it
import { describe, expect, it } from '@jest/globals';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  Extension,
  ExtensionsAttribute,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
} from '@peculiar/x509';
import { DomainError } from '@cumulet/common/errors/domain-error';
import { readSigningRequest } from './signing-request.js';
import { rsaKey, signingRequest, type Asked } from './signing-request.fixture.js';

const CODE_SIGNING = '1.3.6.1.5.5.7.3.3';
const CLIENT = '1.3.6.1.5.5.7.3.2';
/** An unknown extension. */
const UNKNOWN = '1.3.6.1.4.1.55555.1';
const ALTERNATIVE_NAMES = '2.5.29.17';
/** A list of one address with five bytes. */
const FIVE_BYTES = Buffer.from('300787050a0b0c0d0e', 'hex');
const NULL = Buffer.from([5, 0]);

describe('a certificate signing request', () => {
  it('is read with its subject, names and usages', async () => {
    const read = await asked({
      extensions: [
        new SubjectAlternativeNameExtension([
          { type: 'dns', value: 'api.example.com' },
          { type: 'ip', value: '10.0.0.7' },
          { type: 'url', value: 'spiffe://example.com/a' },
        ]),
        new ExtendedKeyUsageExtension([CLIENT, CODE_SIGNING]),
      ],
    });
    expect(read).toMatchObject({
      subject: 'O=system:masters, CN=admin',
      dnsNames: ['api.example.com'],
      ipAddresses: ['10.0.0.7'],
      extendedUsages: [CLIENT],
    });
  });

  it('may have text around its PEM, and the older label', async () => {
    const pem = (await signingRequest()).replaceAll('CERTIFICATE REQ', 'NEW CERTIFICATE REQ');
    expect((await readSigningRequest(`Certificate Request:\n${pem}\n`)).subject).toContain('admin');
  });

  it.each([
    ['an RSA key of 2048 bits', rsaKey(2048)],
    ['a key on P-384', { name: 'ECDSA', namedCurve: 'P-384', hash: 'SHA-384' }],
    ['a key on P-521', { name: 'ECDSA', namedCurve: 'P-521', hash: 'SHA-512' }],
    ['an Ed25519 key', { name: 'Ed25519' }],
  ])('may have %s', async (_, key) => {
    expect((await asked({ key })).subject).toContain('admin');
  });

  it('may have unsupported extensions that are not critical', async () => {
    const read = await asked({
      extensions: [
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature | KeyUsageFlags.dataEncipherment),
        new Extension(UNKNOWN, false, NULL),
      ],
    });
    expect(read.extendedUsages).toBeUndefined();
  });
});

describe('a certificate signing request is refused', () => {
  it.each([
    ['of a single word', 'nonsense', 'is not PEM'],
    ['of a certificate', pemOf('CERTIFICATE', 'MAA='), 'is PEM of a CERTIFICATE, not'],
    ['of no base64', pemOf('CERTIFICATE REQUEST', 'MA*='), 'is not base64'],
    ['without content', pemOf('CERTIFICATE REQUEST', ''), 'is not base64'],
    ['of something else', pemOf('CERTIFICATE REQUEST', 'MAA='), 'cannot be read as PKCS#10'],
  ])('%s', async (_, pem, message) => {
    await expect(readSigningRequest(pem)).rejects.toThrow(message);
  });

  it('with another one', async () => {
    const pem = await signingRequest();
    await expect(readSigningRequest(`${pem}\n${pem}`)).rejects.toThrow('has several blocks');
  });

  it.each<[string, Asked, string]>([
    ['with an RSA key of 1024 bits', { key: rsaKey(1024) }, 'has an RSA key of 1024 bits;'],
    ['signed by SHA-1', { key: rsaKey(2048, 'SHA-1') }, 'is by SHA-1;'],
    ['without any name', { name: [] }, 'names neither a subject nor alternative names'],
    [
      'for an authority, critical or not',
      { extensions: [new BasicConstraintsExtension(true, 0, false)] },
      'asks for basicConstraints CA:TRUE;',
    ],
    ['for signing certificates', usage(KeyUsageFlags.keyCertSign), 'keyUsage keyCertSign;'],
    ['for signing revocations', usage(KeyUsageFlags.cRLSign), 'keyUsage cRLSign;'],
    [
      'for a usage that it cannot do without and does not get',
      { extensions: [new KeyUsagesExtension(KeyUsageFlags.dataEncipherment, true)] },
      "'keyUsage dataEncipherment'",
    ],
    [
      'for signing code alone',
      { extensions: [new ExtendedKeyUsageExtension([CODE_SIGNING])] },
      `'extendedKeyUsage ${CODE_SIGNING}'`,
    ],
    [
      'with a name of Windows',
      { extensions: [new SubjectAlternativeNameExtension([{ type: 'upn', value: 'a@b' }])] },
      "'subjectAltName upn'",
    ],
    [
      'with an address that is none',
      { extensions: [new Extension(ALTERNATIVE_NAMES, false, FIVE_BYTES)] },
      "'subjectAltName IP 0a0b0c0d0e'",
    ],
    [
      'with an unknown critical extension',
      { extensions: [new Extension(UNKNOWN, true, NULL)] },
      `Extension '${UNKNOWN}'`,
    ],
    [
      'with an extension twice',
      { extensions: [new Extension(UNKNOWN, false, NULL), new Extension(UNKNOWN, false, NULL)] },
      `has the extension ${UNKNOWN} twice`,
    ],
    [
      'with a second list of extensions, behind which an authority may hide',
      {
        extensions: [new BasicConstraintsExtension(false)],
        attributes: [new ExtensionsAttribute([new BasicConstraintsExtension(true)])],
      },
      'cannot be read as PKCS#10',
    ],
  ])('%s', async (_, request, message) => {
    const refused = asked(request);
    await expect(refused).rejects.toThrow(message);
    await expect(refused).rejects.toThrow(DomainError);
  });

  it('that was changed after it was signed', async () => {
    const der = derOf(await signingRequest());
    der.write('other', der.indexOf('admin'));
    const pem = pemOf('CERTIFICATE REQUEST', der.toString('base64'));
    await expect(readSigningRequest(pem)).rejects.toThrow('does not fit its public key');
  });
});

async function asked(request: Asked) {
  return readSigningRequest(await signingRequest(request));
}

function usage(flag: KeyUsageFlags): Asked {
  return { extensions: [new KeyUsagesExtension(flag | KeyUsageFlags.digitalSignature)] };
}

function pemOf(label: string, base64: string): string {
  return `-----BEGIN ${label}-----\n${base64}\n-----END ${label}-----\n`;
}

function derOf(pem: string): Buffer {
  return Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64');
}
