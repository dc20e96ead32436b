/** Certificates for users' own keys. */
import {
  BasicConstraintsExtension,
  ExtendedKeyUsageExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
} from '@peculiar/x509';
import { certify, type CertifiedKey } from './certificates.js';
import { USAGES } from './issue.js';
import type { SigningRequest } from './signing-request.js';

/**
 * The subject is kept: Magnum's clients request O=system:masters, CN=admin. Unless the request
 * names usages, the certificate is for clients, and for servers too if it has alternative names.
 * @returns PEM
 */
export function signRequest(
  authority: CertifiedKey,
  request: SigningRequest,
  { days }: { readonly days: number },
): Promise<string> {
  const { subjectName, publicKey, alternativeNames } = request;
  const usages = request.extendedUsages ?? [
    USAGES.client,
    ...(alternativeNames ? [USAGES.server] : []),
  ];
  return certify(authority, {
    subject: subjectName,
    publicKey,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      keyUsages(request),
      new ExtendedKeyUsageExtension([...usages]),
      ...namesOf(request),
    ],
    days,
  });
}

/** RFC 8813, 3, forbids key encipherment for EC keys. */
function keyUsages({ keyType }: SigningRequest): KeyUsagesExtension {
  return keyType === 'rsa'
    ? new KeyUsagesExtension(KeyUsageFlags.digitalSignature | KeyUsageFlags.keyEncipherment, true)
    : new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true);
}

/** Copied as is; critical without a subject (RFC 5280, 4.2.1.6). */
function namesOf({ alternativeNames: names, subject }: SigningRequest): Extension[] {
  return names ? [new Extension(names.type, subject === '', names.value)] : [];
}
