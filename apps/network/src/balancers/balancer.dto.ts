/** What sister services say of a balancer: all of it. */
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
  @IntegerField({ ...SECONDS, description: 'Seconds from one check of a member to the next.' })
  interval: number;

  @IntegerField({ ...SECONDS, description: 'Seconds that an answer may take.' })
  timeout: number;

  @IntegerField({ ...TIMES, description: 'Answers in a row after which a member is well.' })
  success_count: number;

  @IntegerField({ ...TIMES, description: 'Failures in a row after which it is down.' })
  failure_count: number;
}

export class BalancerMemberDto {
  @UuidField({ description: 'Its id, by which its health is told.' })
  id: string;

  @CheckedField(
    (value) => typeof value === 'string' && isIP(value) !== 0,
    'must be an IP address',
    {
      type: String,
      description: 'Its address.',
    },
  )
  address: string;

  @IntegerField({ ...PORT, description: 'Its port.' })
  protocol_port: number;

  @UuidField({
    nullable: true,
    description: 'The subnet of the address; null for one of the network that the balancer is on.',
  })
  subnet_id: string | null;
}

export class BalancerListenerDto {
  @UuidField({ description: 'Its id.' })
  id: string;

  @EnumField(PROTOCOLS, { description: 'What it balances.' })
  protocol: BalancerListenerSpec['protocol'];

  @IntegerField({ ...PORT, description: 'On which port.' })
  protocol_port: number;

  @IntegerField({
    min: 1,
    max: 65_535,
    nullable: true,
    description: 'Seconds for which a client stays with its member; null for one connection.',
  })
  affinity_timeout: number | null;

  @ObjectField(() => BalancerCheckDto, {
    nullable: true,
    description: 'How members are checked; null for not at all.',
  })
  health_check: BalancerCheckDto | null;

  @ListField(() => BalancerMemberDto, { maxItems: 10_000, description: 'Those that take part.' })
  members: BalancerMemberDto[];
}

export class BalancerDto {
  @StringField({ description: 'The project whose it is.' })
  project_id: string;

  @UuidField({ description: 'The port that keeps its addresses.' })
  vip_port_id: string;

  @BooleanField({ description: 'Whether it answers at all.' })
  admin_state_up: boolean;

  @ListField(() => BalancerListenerDto, { description: 'Those that take part.' })
  listeners: BalancerListenerDto[];
}

export class BalancerBody {
  @ObjectField(() => BalancerDto)
  balancer: BalancerDto;
}
