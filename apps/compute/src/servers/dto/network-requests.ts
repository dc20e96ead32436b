/**
 * The networks in a request for a server: `none`, `auto`, or a list; before 2.37 also none of
 * these, for any network of the project. Public source: Nova API reference, "Create Server",
 * `networks`.
 */
import { isIP } from 'node:net';
import { applyDecorators } from '@nestjs/common';
import { ApiProperty, getSchemaPath, type ApiPropertyOptions } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';
import { isUuid } from '@cumulet/common/context/ids';
import { InvalidInputError } from '@cumulet/common/errors/domain-error';
import { CheckedField, ListField, StringField, UuidField } from '@cumulet/common/http/fields';
import { TAG } from '../../http/fields.js';
import {
  FixedIpWithPortError,
  NotForSeveralServersError,
  PortGivenTwiceError,
} from '../server.errors.js';

export const IP_ADDRESS = {
  type: 'string',
  anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }],
} satisfies ApiPropertyOptions;

export function isAddress(value: unknown): boolean {
  return typeof value === 'string' && isIP(value) !== 0 && !value.includes('%');
}

export class NetworkRequestDto {
  @StringField({ optional: true, description: 'The ID of a network.' })
  uuid?: string;

  @UuidField({ optional: true, nullable: true, description: 'The ID of a port.' })
  port?: string | null;

  @CheckedField(isAddress, 'must be an IP address', IP_ADDRESS, {
    optional: true,
    description: 'An address in the network.',
  })
  fixed_ip?: string;

  @StringField({
    ...TAG,
    optional: true,
    description: 'From 2.32 to 2.36, and since 2.42.',
  })
  tag?: string;
}

export class SecurityGroupNameDto {
  @StringField({ description: 'The name or ID.' })
  name: string;
}

const WORDS = ['none', 'auto'];

/** A list, or one of the words `none` and `auto`. */
export function NetworksField(): PropertyDecorator {
  return applyDecorators(
    ListField(() => NetworkRequestDto, { optional: true }),
    ApiProperty({
      required: false,
      oneOf: [
        { type: 'array', items: { $ref: getSchemaPath(NetworkRequestDto) } },
        { type: 'string', enum: WORDS },
      ],
      description: "Required since 2.37, which adds 'none' and 'auto'.",
    }),
    ValidateIf((_, value: unknown) => !WORDS.includes(value as string)),
  );
}

/** A port, or a network with or without an address. */
export type NetworkRequest =
  | { readonly portId: string; readonly tag: string | null }
  | { readonly networkId: string; readonly address: string | null; readonly tag: string | null };

/** `any`: the project's network, or none if it has none. */
export type NetworkRequests = 'none' | 'auto' | 'any' | readonly NetworkRequest[];

/** @throws InvalidInputError for requests that contradict themselves */
export function networkRequestsOf(
  networks: 'none' | 'auto' | readonly NetworkRequestDto[] | undefined,
  count: number,
): NetworkRequests {
  if (networks === undefined) return 'any';
  if (typeof networks === 'string') return networks;
  // Nova takes an empty list for a missing one.
  if (networks.length === 0) return 'any';
  const requests = networks.map(requestOf);
  const ports = requests.flatMap((one) => ('portId' in one ? [one.portId] : []));
  const twice = ports.find((id, at) => ports.indexOf(id) !== at);
  if (twice !== undefined) throw new PortGivenTwiceError(twice);
  if (count > 1) refuseForSeveral(requests);
  return requests;
}

function requestOf({ uuid, port, fixed_ip, tag }: NetworkRequestDto): NetworkRequest {
  const common = { tag: tag ?? null };
  if (typeof port === 'string') {
    if (fixed_ip !== undefined) throw new FixedIpWithPortError(fixed_ip, port);
    return { portId: dashed(port), ...common };
  }
  if (uuid === undefined) throw new InvalidInputError("Bad network format: missing 'uuid'");
  const named: string = uuid;
  if (!isUuid(uuid))
    throw new InvalidInputError(
      `Bad networks format: network uuid is not in proper format (${named})`,
    );
  return { networkId: dashed(uuid), address: fixed_ip ?? null, ...common };
}

/** IDs are compared in their stored form. */
function dashed(id: string): string {
  const plain = id.replaceAll('-', '').toLowerCase();
  return plain.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

function refuseForSeveral(requests: readonly NetworkRequest[]): void {
  for (const one of requests) {
    if ('portId' in one)
      throw new NotForSeveralServersError(
        'Unable to launch multiple instances with a single configured port ID. Please launch your instance one by one with different ports.',
      );
    if (one.address !== null)
      throw new NotForSeveralServersError(
        'max_count cannot be greater than 1 if an fixed_ip is specified.',
      );
  }
}
