/**
 * The certificate authorities of a cluster, each trusted for a different purpose. Public source:
 * Kubernetes, "PKI certificates and requirements".
 */
import { webcrypto } from 'node:crypto';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  Name,
  SubjectKeyIdentifierExtension,
  X509CertificateGenerator,
} from '@peculiar/x509';
import { serialNumber, validity, type CertifiedKey } from './certificates.js';
import { ECDSA, generateEcdsaKey } from './keys.js';

/** Common names. */
export const AUTHORITIES = {
  ca: 'kubernetes',
  etcdCa: 'etcd-ca',
  frontProxyCa: 'kubernetes-front-proxy-ca',
} as const;

export type AuthorityKind = keyof typeof AUTHORITIES;
export type Authorities = Readonly<Record<AuthorityKind, CertifiedKey>>;

const TEN_YEARS = 3653;

export async function createAuthorities(): Promise<Authorities> {
  const [ca, etcdCa, frontProxyCa] = await Promise.all([
    createAuthority({ commonName: AUTHORITIES.ca }),
    createAuthority({ commonName: AUTHORITIES.etcdCa }),
    createAuthority({ commonName: AUTHORITIES.frontProxyCa }),
  ]);
  return { ca, etcdCa, frontProxyCa };
}

/** @param days of validity, which also limits certificates that it signs */
export async function createAuthority({
  commonName,
  days = TEN_YEARS,
}: {
  readonly commonName: string;
  readonly days?: number;
}): Promise<CertifiedKey> {
  const { keys, privateKeyPem } = await generateEcdsaKey();
  const made = await X509CertificateGenerator.createSelfSigned(
    {
      serialNumber: serialNumber(),
      name: new Name([{ CN: [{ utf8String: commonName }] }]),
      ...validity(days),
      keys,
      signingAlgorithm: ECDSA,
      extensions: [
        // No intermediate authorities: a cluster needs none.
        new BasicConstraintsExtension(true, 0, true),
        new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
        await SubjectKeyIdentifierExtension.create(keys.publicKey, false, webcrypto),
        await AuthorityKeyIdentifierExtension.create(keys.publicKey, false, webcrypto),
      ],
    },
    webcrypto,
  );
  return { certificatePem: made.toString('pem') + '\n', privateKeyPem };
}
