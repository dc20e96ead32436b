/** Public source: Keystone API reference, "Policies". */
import { Entity } from 'typeorm';
import type { Id } from '@cumulet/common/context/ids';
import { attribute } from '@cumulet/common/resources/attribute';
import { rowOf } from '@cumulet/common/resources/classes';
import { text } from '@cumulet/common/resources/field-type';
import { idOf, ResourceColumns } from '../resource/resource.attributes.js';
import { dtoOf, PageQuery, TextFilter } from '../resource/resource.dto.js';
import { resourceViewOf } from '../resource/resource.view.js';

export type PolicyId = Id<'Policy'>;

export const POLICY = {
  id: idOf<PolicyId>('policies'),
  type: attribute(text({ example: 'application/json' }), {
    about: 'The media type of the blob.',
    required: true,
  }),
  blob: attribute(text({ min: 0, max: 1_048_576 }), {
    about: 'The rules, as the service reads them.',
    required: true,
  }),
} as const;

/** The rules of another service, as text; identity's own are in `policy/policy.ts`. */
@Entity('policies')
export class Policy extends rowOf(POLICY, ResourceColumns) {}

export class CreatePolicyDto extends dtoOf(POLICY) {}

export class ListPoliciesQuery extends PageQuery {
  @TextFilter()
  type?: string;
}

export class PolicyView extends resourceViewOf(POLICY) {}
