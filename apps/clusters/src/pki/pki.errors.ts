/**
 * Errors of certificate signing requests. Magnum answers 400 to all of them; the message says how
 * to mend the request.
 */
import { DomainError, invalid } from '@cumulet/common/errors/domain-error';

export class UnreadableSigningRequestError extends DomainError {
  /** @param reason completes the sentence: `is not PEM` */
  constructor(reason: string, cause?: unknown) {
    super('invalid', `The certificate signing request ${reason}.`, { cause });
  }
}

/** The client has not proved possession of the private key. */
export class SigningRequestSignatureError extends DomainError {
  /** @param reason completes the sentence: `does not fit its public key` */
  constructor(reason: string, cause?: unknown) {
    super('invalid', `The signature of the certificate signing request ${reason}.`, { cause });
  }
}

/**
 * Its key is too weak, or of a kind that clients of Kubernetes cannot use.
 * @param found what it has: `an RSA key of 1024 bits`
 */
export class SigningRequestKeyError extends invalid(
  (found: string) =>
    `The certificate signing request has ${found}; supported are RSA keys of 2048 to 8192 bits, ` +
    'the curves P-256, P-384 and P-521, and Ed25519.',
) {}

/**
 * A certificate of an authority could issue further ones: it is never given away.
 * @param extension that asks for it, as it is written: `basicConstraints CA:TRUE`
 */
export class AuthorityRequestedError extends invalid(
  (extension: string) =>
    `The certificate signing request asks for ${extension}; certificates of authorities are not issued.`,
) {}

/** A critical extension that is not supported. */
export class ExtensionNotAllowedError extends invalid(
  (extension: string) =>
    `Extension '${extension}' of the certificate signing request is not allowed.`,
) {}
