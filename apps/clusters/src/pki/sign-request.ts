/** Certificates for keys that the service never sees: those of users. */
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
 * The subject is as asked: Magnum's clients ask for O=system:masters, CN=admin. It is for clients,
 * and for servers too if it has names beside the subject, unless the request itself says for which.
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

/** Only RSA keys can encipher others: RFC 8813, 3, forbids it for those of curves. */
function keyUsages({ keyType }: SigningRequest): KeyUsagesExtension {
  return keyType === 'rsa'
    ? new KeyUsagesExtension(KeyUsageFlags.digitalSignature | KeyUsageFlags.keyEncipherment, true)
    : new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true);
}

/** As they came; critical where nothing else says whose certificate it is (RFC 5280, 4.2.1.6). */
function namesOf({ alternativeNames: names, subject }: SigningRequest): Extension[] {
  return names ? [new Extension(names.type, subject === '', names.value)] : [];
}
