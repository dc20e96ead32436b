/** Public source: octavia, `common/exceptions.py`; a class is the `type` that clients read. */
import { invalid } from '@cumulet/common/errors/domain-error';

/**
 * The secret does not exist for the project, or cannot be used.
 * @param reason for its owner; nothing of what a secret holds
 */
export class CertificateRetrievalExceptionError extends invalid(
  (ref: string, reason: string) => `Could not retrieve certificate: ${ref} (${reason})`,
) {}

export class UnreadablePKCS12Error extends invalid(
  (reason: string) =>
    `The PKCS12 bundle is unreadable. Please check the PKCS12 bundle validity. In addition, make sure it does not require a pass phrase. Error: ${reason}`,
) {}

/** The certificate has no name. */
export class MissingCertSubjectError extends invalid(
  (ref: string) => `No CN or DNSName(s) found in certificate. The certificate is invalid: ${ref}`,
) {}
