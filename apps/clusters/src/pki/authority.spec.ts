import 'reflect-metadata'; // before @peculiar/x509, which injects its own parts by it
import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createAuthorities, createAuthority } from './authority.js';
import { issue } from './issue.js';

const LEAF = { commonName: 'a', usages: ['client'], days: 365 } as const;

describe('authorities of a cluster', () => {
  it('are three, with distinct keys and serial numbers', async () => {
    const all = Object.values(await createAuthorities());
    const certificates = all.map(({ certificatePem }) => new X509Certificate(certificatePem));
    expect(certificates.map(({ subject }) => subject)).toEqual([
      'CN=kubernetes',
      'CN=etcd-ca',
      'CN=kubernetes-front-proxy-ca',
    ]);
    expect(new Set(certificates.map(({ serialNumber }) => serialNumber)).size).toBe(3);
    expect(new Set(all.map(({ privateKeyPem }) => privateKeyPem)).size).toBe(3);
  });

  it('are valid for ten years, and backdated by minutes', async () => {
    const { validFrom, validTo } = new X509Certificate(
      (await createAuthority({ commonName: 'kubernetes' })).certificatePem,
    );
    expect(new Date(validTo).getUTCFullYear() - new Date(validFrom).getUTCFullYear()).toBe(10);
    expect(Date.now() - new Date(validFrom).getTime()).toBeGreaterThanOrEqual(5 * 60_000);
  });

  it('issue nothing that outlives them', async () => {
    const authority = await createAuthority({ commonName: 'kubernetes', days: 1 });
    const { certificatePem } = await issue(authority, LEAF);
    expect(new X509Certificate(certificatePem).validTo).toBe(
      new X509Certificate(authority.certificatePem).validTo,
    );
  });
});

describe('a certificate', () => {
  it('has exactly the given names', async () => {
    const authority = await createAuthority({ commonName: 'kubernetes' });
    const { certificatePem } = await issue(authority, {
      ...LEAF,
      commonName: '#a "b"\\',
      organizations: ['one', 'two'],
      dnsNames: ['a.example', 'a.example'],
      ipAddresses: ['10.0.0.7', 'fd00::7'],
    });
    const { subject, subjectAltName } = new X509Certificate(certificatePem);
    expect(subject).toBe('O=one\nO=two\nCN=\\#a \\"b\\"\\\\');
    expect(subjectAltName).toBe(
      'DNS:a.example, IP Address:10.0.0.7, IP Address:FD00:0:0:0:0:0:0:7',
    );
  });
});
