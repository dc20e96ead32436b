/**
 * A whole load balancer as plain values, for data planes. Only what is enabled
 * takes part; times are in milliseconds unless a name says otherwise.
 */

export const LISTENER_PROTOCOLS = [
  'TCP',
  'HTTP',
  'HTTPS',
  'TERMINATED_HTTPS',
  'UDP',
  'SCTP',
  'PROMETHEUS',
] as const;
export type ListenerProtocol = (typeof LISTENER_PROTOCOLS)[number];

export const POOL_PROTOCOLS = ['HTTP', 'HTTPS', 'TCP', 'PROXY', 'PROXYV2', 'UDP', 'SCTP'] as const;
export type PoolProtocol = (typeof POOL_PROTOCOLS)[number];

export const ALGORITHMS = [
  'ROUND_ROBIN',
  'LEAST_CONNECTIONS',
  'SOURCE_IP',
  'SOURCE_IP_PORT',
] as const;
export type Algorithm = (typeof ALGORITHMS)[number];

/** Certificates, a key, or a list of revocations, as PEM. */
export interface PemFile {
  /** Names the file: letters, digits, dots and hyphens. */
  readonly name: string;
  readonly pem: string;
}

/** Limits of TLS; an empty list leaves the choice to the data plane. */
export interface TlsLimits {
  /** OpenSSL's cipher string, or null. */
  readonly ciphers: string | null;
  readonly versions: readonly TlsVersion[];
  readonly alpn: readonly string[];
}

/** The oldest first. */
export const TLS_VERSIONS = ['SSLv3', 'TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'] as const;
export type TlsVersion = (typeof TLS_VERSIONS)[number];

export interface ListenerTls extends TlsLimits {
  /** Key and certificates; the first is for clients that name no host, or an unknown one. */
  readonly bundles: readonly PemFile[];
  readonly client: {
    readonly authentication: 'OPTIONAL' | 'MANDATORY';
    readonly ca: PemFile;
    readonly revocations: PemFile | null;
  } | null;
  /** Strict-Transport-Security, RFC 6797. */
  readonly hsts: {
    readonly maxAgeSeconds: number;
    readonly includeSubdomains: boolean;
    readonly preload: boolean;
  } | null;
}

export interface PoolTls extends TlsLimits {
  /** The key and certificate that are presented to members. */
  readonly bundle: PemFile | null;
  /** Members' certificates are checked against it; null: they are not checked. */
  readonly ca: PemFile | null;
  readonly revocations: PemFile | null;
}

export type InsertedHeader =
  | 'X-Forwarded-For'
  | 'X-Forwarded-Port'
  | 'X-Forwarded-Proto'
  | 'X-SSL-Client-Verify'
  | 'X-SSL-Client-Has-Cert'
  | 'X-SSL-Client-DN'
  | 'X-SSL-Client-CN'
  | 'X-SSL-Issuer'
  | 'X-SSL-Client-SHA1'
  | 'X-SSL-Client-Not-Before'
  | 'X-SSL-Client-Not-After';

export interface ListenerSpec {
  readonly id: string;
  readonly enabled: boolean;
  readonly protocol: ListenerProtocol;
  readonly port: number;
  /** Connections at once; null is without limit. */
  readonly connectionLimit: number | null;
  readonly timeouts: {
    readonly clientData: number;
    readonly memberConnect: number;
    readonly memberData: number;
    /** How long TCP is waited for content to decide by; 0 is not at all. */
    readonly tcpInspect: number;
  };
  /** Networks that may connect; empty: all. */
  readonly allowedCidrs: readonly string[];
  readonly insertHeaders: readonly InsertedHeader[];
  readonly defaultPoolId: string | null;
  /** By position. */
  readonly policies: readonly PolicySpec[];
  readonly tls: ListenerTls | null;
}

export interface PolicySpec {
  readonly id: string;
  readonly enabled: boolean;
  readonly action: PolicyAction;
  /** All must hold; a policy without any never applies. */
  readonly rules: readonly RuleSpec[];
}

export type PolicyAction =
  | { readonly type: 'REJECT' }
  | { readonly type: 'REDIRECT_TO_POOL'; readonly poolId: string }
  | {
      readonly type: 'REDIRECT_TO_URL' | 'REDIRECT_PREFIX';
      readonly url: string;
      readonly code: number;
    };

export const RULE_TYPES = [
  'HOST_NAME',
  'PATH',
  'FILE_TYPE',
  'HEADER',
  'COOKIE',
  'SSL_CONN_HAS_CERT',
  'SSL_VERIFY_RESULT',
  'SSL_DN_FIELD',
] as const;
export type RuleType = (typeof RULE_TYPES)[number];

export const COMPARE_TYPES = ['REGEX', 'STARTS_WITH', 'ENDS_WITH', 'CONTAINS', 'EQUAL_TO'] as const;
export type CompareType = (typeof COMPARE_TYPES)[number];

export interface RuleSpec {
  readonly id: string;
  readonly enabled: boolean;
  readonly type: RuleType;
  readonly compare: CompareType;
  /** The name of the header, cookie or field of the distinguished name. */
  readonly key: string | null;
  readonly value: string;
  readonly invert: boolean;
}

export type SessionPersistence =
  | { readonly type: 'SOURCE_IP' }
  | { readonly type: 'HTTP_COOKIE' }
  | { readonly type: 'APP_COOKIE'; readonly cookie: string };

export interface PoolSpec {
  readonly id: string;
  readonly enabled: boolean;
  readonly protocol: PoolProtocol;
  readonly algorithm: Algorithm;
  readonly persistence: SessionPersistence | null;
  readonly monitor: MonitorSpec | null;
  readonly tls: PoolTls | null;
  readonly members: readonly MemberSpec[];
}

export interface MemberSpec {
  readonly id: string;
  readonly enabled: boolean;
  readonly address: string;
  readonly port: number;
  /** 0 to 256 of the traffic; 0 takes no new one. */
  readonly weight: number;
  /** Used only where all others are down. */
  readonly backup: boolean;
  readonly monitorAddress: string | null;
  readonly monitorPort: number | null;
}

export const MONITOR_TYPES = [
  'HTTP',
  'HTTPS',
  'PING',
  'TCP',
  'TLS-HELLO',
  'UDP-CONNECT',
  'SCTP',
] as const;
export type MonitorType = (typeof MONITOR_TYPES)[number];

export interface MonitorSpec {
  readonly id: string;
  readonly enabled: boolean;
  readonly type: MonitorType;
  readonly delaySeconds: number;
  readonly timeoutSeconds: number;
  /** Checks in a row that make a member good, or bad. */
  readonly rise: number;
  readonly fall: number;
  /** Of HTTP and HTTPS. */
  readonly http: {
    readonly method: string;
    readonly path: string;
    /** `200`, `200,202` or `200-204`. */
    readonly expectedCodes: string;
    readonly version: 1.0 | 1.1;
    readonly domain: string | null;
  } | null;
}

/** Limits of the flavor; the host decides limits that are missing. */
export interface BalancerLimits {
  /** Connections at once, of all listeners together; further ones wait. */
  readonly connections?: number;
  readonly threads?: number;
}

export interface BalancerSpec {
  readonly id: string;
  readonly enabled: boolean;
  /** The VIP, then the additional ones. */
  readonly addresses: readonly string[];
  readonly listeners: readonly ListenerSpec[];
  readonly pools: readonly PoolSpec[];
  readonly limits?: BalancerLimits;
}
