/** Requests about servers (Nova API reference, "Servers"). Unsupported properties are refused. */
import { isIP } from 'node:net';
import {
  BooleanField,
  CheckedField,
  EnumField,
  IntegerField,
  ListField,
  ObjectField,
  StringField,
  UnsupportedField,
  type StringFieldOptions,
} from '@cumulet/common/http/fields';
import { bodyUnder, HOST_NAME, TRIMMED } from '../http/fields.js';
import { BlockDeviceDto } from './dto/block-device.dto.js';
import { NetworkRequestDto, NetworksField, SecurityGroupNameDto } from './dto/network-requests.js';
import { InjectedFileDto, isUserData } from './dto/injected-files.js';
import { MetadataField } from './metadata/server-metadata.dto.js';
import { DISK_CONFIGS, type DiskConfig } from './server.entity.js';
import { TagsField } from './tags/server-tags.dto.js';

/** Names and texts of servers. Public source: nova, `api/validation/parameter_types.py`. */
const NAME = /^(?!\p{Zs})[^\p{C}\p{Zl}\p{Zp}]+(?<!\p{Zs})$/u;
const DESCRIPTION = /^[^\p{C}\p{Zl}\p{Zp}]*$/u;

/** 1 to 255 printable characters, without a space at either end. */
export function NameField(options: StringFieldOptions = {}): PropertyDecorator {
  return StringField({
    ...options,
    pattern: NAME,
    patternText: 'must hold printable characters, and neither begin nor end with a space',
  });
}

/** At most 255 printable characters, or null. */
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

/** A guest's host name; `checkHostname` knows each microversion's form. */
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
    { optional: true, description: 'The address for access; stored, but has no effect.' },
  );
}

/** `::babe:220.12.22.2` is `::babe:dc0c:1602` (RFC 5952). */
export function shortestIpv6(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}

const HOST = { ...HOST_NAME, optional: true };

/** `hintsOf` checks the hints. */
function HintsField(): PropertyDecorator {
  return CheckedField(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
    'must be an object',
    { type: 'object', additionalProperties: true },
    { optional: true },
  );
}

/** Servers that one request creates. */
const MAX_COUNT = 1_000;

export class CreateServerDto {
  @NameField()
  name: string;

  @StringField({
    optional: true,
    min: 0,
    max: 36,
    pattern: /^([0-9a-fA-F]{8}(-?[0-9a-fA-F]{4}){3}-?[0-9a-fA-F]{12})?$/,
    patternText: 'must be a UUID',
    description: 'The ID of the image to boot; empty or missing if a block device names it.',
  })
  imageRef?: string;

  @StringField({ description: 'The ID or the address of a flavor.' })
  flavorRef: string;

  @NetworksField()
  networks?: 'none' | 'auto' | NetworkRequestDto[];

  @MetadataField({ optional: true })
  metadata?: Record<string, string>;

  @CheckedField(
    isUserData,
    'must be base64 of at most 65535 bytes',
    { type: 'string', maxLength: 65_535 },
    { optional: true, nullable: true },
  )
  user_data?: string | null;

  @StringField({ optional: true })
  adminPass?: string;

  @ListField(() => InjectedFileDto, {
    optional: true,
    description: 'Until 2.56; limited by the quota `injected_files`.',
  })
  personality?: InjectedFileDto[];

  @BooleanField({ optional: true, nullable: true, fromText: true })
  config_drive?: boolean | null;

  @StringField({
    ...TRIMMED,
    optional: true,
    description: 'The availability zone; for administrators also `zone:host:node`.',
  })
  availability_zone?: string;

  @IntegerField({ optional: true, fromText: true, min: 1, max: MAX_COUNT })
  min_count?: number;

  @IntegerField({
    optional: true,
    fromText: true,
    min: 1,
    max: MAX_COUNT,
    description: 'As many servers are created as the quotas allow, but at least `min_count`.',
  })
  max_count?: number;

  @BooleanField({ optional: true, fromText: true })
  return_reservation_id?: boolean;

  @ListField(() => BlockDeviceDto, { optional: true, maxItems: 255 })
  block_device_mapping_v2?: BlockDeviceDto[];

  @EnumField(DISK_CONFIGS, { optional: true, description: 'Stored, but has no effect.' })
  'OS-DCF:diskConfig'?: DiskConfig;

  @ServerDescriptionField({ description: 'Since 2.19.' })
  description?: string | null;

  @TagsField({ optional: true, description: 'Since 2.52.' })
  tags?: string[];

  @HostnameField()
  hostname?: string;

  @StringField({ optional: true, description: "The name of one of the user's key pairs." })
  key_name?: string;

  @ListField(() => SecurityGroupNameDto, { optional: true })
  security_groups?: SecurityGroupNameDto[];

  @UnsupportedField('volumes are not offered')
  block_device_mapping?: unknown;

  @AccessAddressField(4)
  accessIPv4?: string;

  @AccessAddressField(6)
  accessIPv6?: string;

  @StringField({ ...HOST, description: 'The host; only for administrators. Since 2.74.' })
  host?: string;

  @StringField({
    ...HOST,
    description: 'The hypervisor, named as its host; only for administrators. Since 2.74.',
  })
  hypervisor_hostname?: string;

  @UnsupportedField('image certificates are not offered')
  trusted_image_certificates?: unknown;
}

export class UpdateServerDto {
  @NameField({ optional: true })
  name?: string;

  @EnumField(DISK_CONFIGS, { optional: true })
  'OS-DCF:diskConfig'?: DiskConfig;

  @AccessAddressField(4)
  accessIPv4?: string;

  @AccessAddressField(6)
  accessIPv6?: string;

  @ServerDescriptionField({ description: 'Since 2.19.' })
  description?: string | null;

  @HostnameField()
  hostname?: string;

  @StringField({
    optional: true,
    nullable: true,
    description: 'The current zone, to pin the server to it, or null. Since 2.104.',
  })
  pinned_availability_zone?: string | null;
}

export class UpdateServerBody extends bodyUnder('server', UpdateServerDto) {}

export class CreateServerBody {
  @ObjectField(() => CreateServerDto)
  server: CreateServerDto;

  @HintsField()
  'os:scheduler_hints'?: Record<string, unknown>;

  @HintsField()
  'OS-SCH-HNT:scheduler_hints'?: Record<string, unknown>;
}
