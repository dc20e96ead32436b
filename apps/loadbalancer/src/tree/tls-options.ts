/**
 * Limits of TLS, at both ends of a load balancer. Public source: Load Balancer API v2
 * reference, `tls_ciphers`, `tls_versions`, `alpn_protocols`; octavia, `common/validate.py` and the
 * defaults of its settings.
 */
import { attribute } from '@cumulet/common/resources/attribute';
import {
  orNull,
  Refusal,
  shortened,
  text,
  valueType,
  type ValueType,
} from '@cumulet/common/resources/value-type';
import { TLS_VERSIONS, type TlsVersion } from '../data-plane/balancer-spec.js';
import { UNLISTED } from '../resources/resource.js';
import { arrayOf } from '../resources/values.js';

/** Older ones are broken, and refused. */
const OLDEST: TlsVersion = 'TLSv1.2';

const DEFAULT_TLS_VERSIONS: readonly TlsVersion[] = ['TLSv1.2', 'TLSv1.3'];

/** Cipher Suite String B of OWASP. */
export const DEFAULT_CIPHERS = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
  'DHE-RSA-AES128-GCM-SHA256',
  'DHE-RSA-AES256-GCM-SHA384',
  'DHE-RSA-CHACHA20-POLY1305',
].join(':');

const ALPN_PROTOCOLS = ['h2', 'http/1.1', 'http/1.0'] as const;

/** No encryption, or no proof of who the other end is. */
const PROHIBITED = ['NULL', 'eNULL', 'aNULL', 'ADH', 'AECDH', 'COMPLEMENTOFALL'];

const MAX_CIPHERS_LENGTH = 2048;
const cipherText = text(MAX_CIPHERS_LENGTH);

/** OpenSSL's cipher string. */
export const tlsCiphers: ValueType<string> = valueType(String, (value) => {
  const ciphers = cipherText.read(value);
  if (!/^[A-Za-z0-9\-+!:@=_.]+$/.test(ciphers))
    throw new Refusal(`'${shortened(value)}' may only contain letters, digits and -+!:@=_.`);
  const prohibited = ciphers
    .split(':')
    .filter((one) => one.split('+').some((part) => PROHIBITED.includes(part)) || isNull(one));
  if (prohibited.length > 0)
    throw new Refusal(`the following ciphers have been prohibited: ${prohibited.join(', ')}`);
  return ciphers;
});

function isNull(cipher: string): boolean {
  return /^[^!-].*-NULL-/.test(cipher);
}

const version: ValueType<TlsVersion> = valueType(String, (value) => {
  const found = TLS_VERSIONS.find((one) => one === value);
  if (!found) throw new Refusal(`'${shortened(value)}' is not in ${JSON.stringify(TLS_VERSIONS)}`);
  if (TLS_VERSIONS.indexOf(found) < TLS_VERSIONS.indexOf(OLDEST))
    throw new Refusal(`${found} is older than the oldest that is allowed, ${OLDEST}`);
  return found;
});

export const tlsVersions: ValueType<TlsVersion[]> = atLeastOne(version, 'TLS version');

const alpnProtocol: ValueType<string> = valueType(String, (value) => {
  const found = ALPN_PROTOCOLS.find((one) => one === value);
  if (!found)
    throw new Refusal(`'${shortened(value)}' is not in ${JSON.stringify(ALPN_PROTOCOLS)}`);
  return found;
});

export const alpnProtocols: ValueType<string[]> = atLeastOne(alpnProtocol, 'ALPN protocol');

/** @param of how one is called */
function atLeastOne<T>(type: ValueType<T>, of: string): ValueType<T[]> {
  const list = arrayOf(type, 16);
  const read = (value: unknown, path?: string): T[] => {
    const items = list.read(value, path);
    if (items.length === 0)
      throw new Refusal(`name at least one ${of}, or leave it out for the default`);
    return [...new Set(items)];
  };
  return { ...list, read };
}

/** Null stands for the defaults, and a row is empty where it does not speak TLS. */
const kept = { ...UNLISTED, column: { nullable: false, default: [] } } as const;

export const TLS_LIMITS = {
  tlsCiphers: attribute(orNull(tlsCiphers), { about: "The ciphers, in OpenSSL's notation." }),
  tlsVersions: attribute(orNull(tlsVersions), { about: 'The versions of TLS.', ...kept }),
  alpnProtocols: attribute(orNull(alpnProtocols), {
    about: 'The protocols that may be spoken within TLS.',
    ...kept,
  }),
};

interface TlsLimits {
  readonly tlsCiphers: string | null;
  readonly tlsVersions: TlsVersion[];
  readonly alpnProtocols: string[];
}

const UNLIMITED: TlsLimits = { tlsCiphers: null, tlsVersions: [], alpnProtocols: [] };

/**
 * The limits of TLS as a listener or a pool has them: null, and what was never given, stands for the
 * defaults where it speaks TLS.
 * @param before what it has
 */
export function tlsLimits(
  speaksTls: boolean,
  given: { readonly [K in keyof TlsLimits]?: TlsLimits[K] | null | undefined },
  before: TlsLimits = UNLIMITED,
): TlsLimits {
  const listOf = <T>(list: readonly T[] | null, standard: readonly T[]): T[] =>
    (list ?? []).length === 0 && speaksTls ? [...standard] : [...(list ?? [])];
  const {
    tlsCiphers = before.tlsCiphers,
    tlsVersions = before.tlsVersions,
    alpnProtocols = before.alpnProtocols,
  } = given;
  return {
    tlsCiphers: tlsCiphers ?? (speaksTls ? DEFAULT_CIPHERS : null),
    tlsVersions: listOf(tlsVersions, DEFAULT_TLS_VERSIONS),
    alpnProtocols: listOf(alpnProtocols, ALPN_PROTOCOLS),
  };
}
