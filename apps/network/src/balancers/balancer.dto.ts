/** Bodies of the balancer routes, which only other services call. */
import { isIP } from 'node:net';
import {
  BooleanField,
  CheckedField,
  EnumField,
  IntegerField,
  ListField,
  ObjectField,
  StringField,
  UuidField,
} from '@cumulet/common/http/fields';
import type { BalancerListenerSpec } from '../data-plane/balancer-spec.js';

const PROTOCOLS = ['tcp', 'udp', 'sctp'] as const;

const PORT = { min: 1, max: 65_535 };
const SECONDS = { min: 1, max: 86_400 };
const TIMES = { min: 1, max: 100 };

export class BalancerCheckDto {
  @IntegerField({ ...SECONDS, description: 'Seconds between two checks of a member.' })
  interval: number;

  @IntegerField({ ...SECONDS, description: 'Seconds to wait for an answer.' })
  timeout: number;

  @IntegerField({
    ...TIMES,
    description: 'Successful checks in a row after which a member is online.',
  })
  success_count: number;

  @IntegerField({
    ...TIMES,
    description: 'Failed checks in a row after which a member is offline.',
  })
  failure_count: number;
}

export class BalancerMemberDto {
  @UuidField({ description: 'The ID of the member, as in the reported health.' })
  id: string;

  @CheckedField(
    (value) => typeof value === 'string' && isIP(value) !== 0,
    'must be an IP address',
    {
      type: String,
      description: 'The IP address of the member.',
    },
  )
  address: string;

  @IntegerField({ ...PORT, description: 'The port of the member.' })
  protocol_port: number;

  @UuidField({
    nullable: true,
    description: "The subnet of the address; null for a subnet of the balancer's own network.",
  })
  subnet_id: string | null;
}

export class BalancerListenerDto {
  @UuidField({ description: 'The ID of the listener.' })
  id: string;

  @EnumField(PROTOCOLS, { description: 'The protocol: TCP, UDP or SCTP.' })
  protocol: BalancerListenerSpec['protocol'];

  @IntegerField({ ...PORT, description: 'The port to listen on.' })
  protocol_port: number;

  @IntegerField({
    min: 1,
    max: 65_535,
    nullable: true,
    description:
      'Seconds for which a client stays with the same member; null to balance each connection.',
  })
  affinity_timeout: number | null;

  @ObjectField(() => BalancerCheckDto, {
    nullable: true,
    description: 'The health checks of members; null for none.',
  })
  health_check: BalancerCheckDto | null;

  @ListField(() => BalancerMemberDto, { maxItems: 10_000, description: 'The members.' })
  members: BalancerMemberDto[];
}

export class BalancerDto {
  @StringField({ description: 'The ID of the project that owns the balancer.' })
  project_id: string;

  @UuidField({ description: "The ID of the port that reserves the balancer's addresses." })
  vip_port_id: string;

  @BooleanField({ description: 'Whether the balancer accepts connections.' })
  admin_state_up: boolean;

  @ListField(() => BalancerListenerDto, { description: 'The listeners.' })
  listeners: BalancerListenerDto[];
}

export class BalancerBody {
  @ObjectField(() => BalancerDto)
  balancer: BalancerDto;
}
