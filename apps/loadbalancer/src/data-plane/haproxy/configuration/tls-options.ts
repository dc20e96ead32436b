/** The words of `bind` and `server` for TLS. */
import type { TlsLimits, TlsVersion } from '../../balancer-spec.js';
import { word, words, type Word } from './words.js';

const EXCLUDED: Readonly<Record<TlsVersion, Word>> = {
  SSLv3: words`no-sslv3`,
  TLSv1: words`no-tlsv10`,
  'TLSv1.1': words`no-tlsv11`,
  'TLSv1.2': words`no-tlsv12`,
  'TLSv1.3': words`no-tlsv13`,
};

/** Ciphers of TLS 1.3 are OpenSSL's own list, which HAProxy takes apart from the others. */
const isTls13Cipher = (cipher: string): boolean => cipher.startsWith('TLS_');

export function tlsLimits({ ciphers, versions, alpn }: TlsLimits): Word[] {
  const named = ciphers === null ? [] : ciphers.split(':').filter((one) => one !== '');
  const older = named.filter((one) => !isTls13Cipher(one)).join(':');
  const newer = named.filter(isTls13Cipher).join(':');
  return [
    ...(older === '' ? [] : [words`ciphers ${word(older)}`]),
    ...(newer === '' ? [] : [words`ciphersuites ${word(newer)}`]),
    ...(versions.length === 0
      ? []
      : Object.entries(EXCLUDED)
          .filter(([version]) => !versions.includes(version as TlsVersion))
          .map(([, option]) => option)),
    ...(alpn.length === 0 ? [] : [words`alpn ${word(alpn.join(','))}`]),
  ];
}
