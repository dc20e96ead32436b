/** Certificates for keys generated here: those of a cluster's components. */
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  Name,
  SubjectAlternativeNameExtension,
} from '@peculiar/x509';
import { certify, type CertifiedKey } from './certificates.js';
import { generateEcdsaKey } from './keys.js';

export const USAGES = {
  server: ExtendedKeyUsage.serverAuth,
  client: ExtendedKeyUsage.clientAuth,
} as const;

export type Usage = keyof typeof USAGES;

export interface Leaf {
  /** The user name in Kubernetes. */
  readonly commonName: string;
  /** The user's groups in Kubernetes. */
  readonly organizations?: readonly string[];
  readonly dnsNames?: readonly string[];
  readonly ipAddresses?: readonly string[];
  readonly usages: readonly Usage[];
  readonly days: number;
}

export async function issue(authority: CertifiedKey, leaf: Leaf): Promise<CertifiedKey> {
  const { keys, privateKeyPem } = await generateEcdsaKey();
  const certificatePem = await certify(authority, {
    subject: subjectOf(leaf),
    publicKey: keys.publicKey,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension(leaf.usages.map((usage) => USAGES[usage])),
      ...alternativeNames(leaf),
    ],
    days: leaf.days,
  });
  return { certificatePem, privateKeyPem };
}

/** Passed as objects, since the library parses text: backslashes, quotes, a leading #. */
function subjectOf({ organizations = [], commonName }: Leaf): Name {
  return new Name([
    ...organizations.map((name) => ({ O: [{ utf8String: name }] })),
    { CN: [{ utf8String: commonName }] },
  ]);
}

function alternativeNames({ dnsNames = [], ipAddresses = [] }: Leaf) {
  const names = [
    ...[...new Set(dnsNames)].map((value) => ({ type: 'dns', value }) as const),
    ...[...new Set(ipAddresses)].map((value) => ({ type: 'ip', value }) as const),
  ];
  return names.length === 0 ? [] : [new SubjectAlternativeNameExtension(names)];
}
