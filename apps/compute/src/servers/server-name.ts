/**
 * What names and texts of servers may hold.
 * Public source: nova, `api/validation/parameter_types.py`.
 */
import { CheckedField, StringField, type StringFieldOptions } from '@cumulet/common/http/fields';
import { isIP } from 'node:net';

const NAME = /^(?!\p{Zs})[^\p{C}\p{Zl}\p{Zp}]+(?<!\p{Zs})$/u;
const DESCRIPTION = /^[^\p{C}\p{Zl}\p{Zp}]*$/u;

/** A name: 1 to 255 printable characters, without a space at either end. */
export function NameField(options: StringFieldOptions = {}): PropertyDecorator {
  return StringField({
    ...options,
    pattern: NAME,
    patternText: 'must hold printable characters, and neither begin nor end with a space',
  });
}

/** A description: at most 255 printable characters, or null. */
export function ServerDescriptionField(options: StringFieldOptions = {}): PropertyDecorator {
  return StringField({
    ...options,
    optional: true,
    nullable: true,
    min: 0,
    pattern: DESCRIPTION,
    patternText: 'must hold printable characters',
  });
}

/** A name that its guest bears; which form each microversion takes is `checkHostname`'s. */
export function HostnameField(): PropertyDecorator {
  return StringField({
    optional: true,
    pattern: /^[a-zA-Z0-9-._]+$/,
    patternText: 'must be a host name',
    description: 'Since 2.90; with a domain, or longer than 63 characters, since 2.94.',
  });
}

/** The address by which its owner says that it is reached. */
export function AccessAddressField(family: 4 | 6): PropertyDecorator {
  return CheckedField(
    (value) => typeof value === 'string' && isIP(value) === family && !value.includes('%'),
    `must be an IPv${family} address`,
    { type: 'string', format: `ipv${family}` },
    { optional: true, description: 'By which its owner says that it is reached.' },
  );
}

/** `::babe:220.12.22.2` is `::babe:dc0c:1602` (RFC 5952). */
export function shortestIpv6(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}
