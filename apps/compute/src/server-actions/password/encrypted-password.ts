/** A password that only the owner of a key pair can read. Public source: nova, `crypto.py`. */
import { constants, publicEncrypt } from 'node:crypto';
import sshpk from 'sshpk';

/**
 * @param publicKey a line of SSH
 * @returns PKCS #1 v1.5 in base64, as `nova get-password` decrypts it; undefined for a key that is not
 *   of RSA, or that is too short
 */
export function encryptedFor(publicKey: string, password: string): string | undefined {
  if (!publicKey.startsWith('ssh-rsa ')) return undefined;
  const key = sshpk.parseKey(publicKey, 'ssh').toString('pkcs8');
  try {
    const padding = constants.RSA_PKCS1_PADDING;
    return publicEncrypt({ key, padding }, Buffer.from(password)).toString('base64');
  } catch {
    return undefined;
  }
}
