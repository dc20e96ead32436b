/**
 * IP addresses and CIDRs as numbers, for both versions. Text is written in canonical form (RFC
 * 5952), so equal addresses are equal strings.
 */
import { isIP } from 'node:net';

export type IpVersion = 4 | 6;

export interface IpAddress {
  readonly version: IpVersion;
  readonly value: bigint;
}

export interface IpRange {
  readonly version: IpVersion;
  readonly first: bigint;
  readonly last: bigint;
}

export interface Cidr extends IpRange {
  readonly prefix: number;
}

const BITS = { 4: 32, 6: 128 } as const;

/** @returns undefined for an invalid address */
export function parseIp(text: string): IpAddress | undefined {
  const version = isIP(text);
  // A zone (`fe80::1%eth0`) names an interface of one host.
  if (version === 0 || text.includes('%')) return undefined;
  const value = version === 4 ? valueOfV4(text) : valueOfV6(text);
  return { version: version as IpVersion, value };
}

/** @returns undefined for an invalid CIDR, or one with bits beyond its prefix */
export function parseCidr(text: string): Cidr | undefined {
  const [address = '', bits = '', ...rest] = text.split('/');
  const ip = parseIp(address);
  if (!ip || rest.length > 0 || !/^\d{1,3}$/.test(bits) || Number(bits) > BITS[ip.version])
    return undefined;
  const cidr = cidrAround(ip, Number(bits));
  return cidr.first === ip.value ? cidr : undefined;
}

export function cidrAround({ version, value }: IpAddress, prefix: number): Cidr {
  const host = (1n << BigInt(BITS[version] - prefix)) - 1n;
  return { version, prefix, first: value & ~host, last: value | host };
}

export function formatIp({ version, value }: IpAddress): string {
  return version === 4 ? formatV4(value) : formatV6(value);
}

/** @returns the canonical form; undefined for an invalid address */
export function canonicalIp(text: string): string | undefined {
  const address = parseIp(text);
  return address && formatIp(address);
}

export function formatCidr({ version, first, prefix }: Cidr): string {
  return `${formatIp({ version, value: first })}/${prefix}`;
}

export function contains(range: IpRange, { version, value }: IpAddress): boolean {
  return range.version === version && range.first <= value && value <= range.last;
}

export function overlap(one: IpRange, other: IpRange): boolean {
  return one.version === other.version && one.first <= other.last && other.first <= one.last;
}

/** The address that a host with this MAC gives itself in a /64 (RFC 4291, appendix A). */
export function eui64(mac: string, { first }: Cidr): IpAddress {
  const bytes = mac.split(':').map((byte) => parseInt(byte, 16));
  const [flipped = 0, ...others] = bytes;
  const whole = [flipped ^ 2, ...others.slice(0, 2), 0xff, 0xfe, ...others.slice(2)];
  return { version: 6, value: first | whole.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n) };
}

function valueOfV4(text: string): bigint {
  return text.split('.').reduce((sum, part) => (sum << 8n) | BigInt(part), 0n);
}

function valueOfV6(text: string): bigint {
  const [, head = text, v4] = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text) ?? [];
  const tail = v4 === undefined ? '' : groupsOf(valueOfV4(v4), 2).map(hex).join(':');
  const [left = '', right] = `${v4 === undefined ? text : head}${tail}`.split('::');
  const groups = (part: string): string[] => (part === '' ? [] : part.split(':'));
  const missing = 8 - groups(left).length - groups(right ?? '').length;
  const all = [...groups(left), ...Array<string>(missing).fill('0'), ...groups(right ?? '')];
  return all.reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n);
}

function formatV4(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => ((value >> shift) & 255n).toString()).join('.');
}

function formatV6(value: bigint): string {
  const groups = groupsOf(value, 8);
  const [at, length] = longestZeros(groups);
  const text = (from: number, to: number): string => groups.slice(from, to).map(hex).join(':');
  return length < 2 ? text(0, 8) : `${text(0, at)}::${text(at + length, 8)}`;
}

function longestZeros(groups: readonly bigint[]): [at: number, length: number] {
  let best: [number, number] = [0, 0];
  for (let at = 0; at < groups.length; at += 1) {
    const end = groups.findIndex((group, index) => index >= at && group !== 0n);
    const length = (end < 0 ? groups.length : end) - at;
    if (length > best[1]) best = [at, length];
  }
  return best;
}

function groupsOf(value: bigint, count: number): bigint[] {
  return Array.from(
    { length: count },
    (_, at) => (value >> BigInt(16 * (count - 1 - at))) & 0xffffn,
  );
}

function hex(group: bigint): string {
  return group.toString(16);
}

/** Whether an address or a CIDR lies within 127.0.0.0/8. */
export function isLoopback(text: string): boolean {
  const range = parseCidr(text.includes('/') ? text : `${text}/32`);
  return range?.version === 4 && range.prefix >= 8 && range.first >> 24n === 127n;
}
