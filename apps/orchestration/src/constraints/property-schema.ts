/**
 * What a type of resource says of its properties and attributes: how values are checked, and what
 * `GET /resource_types/{type}` shows. Public source: Orchestration API reference, "Show resource type
 * schema"; Heat, "Template guide".
 */
import type { Json } from '../json/json.js';
import type { Numeric } from '../json/numbers.js';

export type PropertyType = 'string' | 'integer' | 'number' | 'boolean' | 'map' | 'list' | 'any';

export interface PropertySchema {
  readonly type: PropertyType;
  readonly description: string;
  readonly required?: true;
  readonly default?: Json;
  /** Whether a change is made in place; otherwise the resource is replaced. */
  readonly updatable?: true;
  /** Never updated nor replaced for: a change is refused. */
  readonly immutable?: true;
  readonly constraints?: readonly Constraint[];
  /** Of a map: its keys. Of a list: `'*'`, each item. */
  readonly schema?: Readonly<Record<string, PropertySchema>>;
  /** Of a map, whether texts and lists are taken too; of a list, whether texts are parted at commas. */
  readonly converts?: true;
  /** Why nothing here carries it out: whoever gives it is refused with this. */
  readonly notOffered?: string;
  readonly support?: SupportStatus;
  /** Another property that this one is an older name of, or that a value is looked up for. */
  readonly translation?: Translation;
}

export type Constraint =
  | {
      readonly kind: 'length';
      readonly min?: number;
      readonly max?: number;
      readonly description?: string;
    }
  | {
      readonly kind: 'range';
      readonly min?: Numeric;
      readonly max?: Numeric;
      readonly description?: string;
    }
  | {
      readonly kind: 'modulo';
      readonly step: number;
      readonly offset: number;
      readonly description?: string;
    }
  | { readonly kind: 'values'; readonly allowed: readonly Json[]; readonly description?: string }
  | { readonly kind: 'pattern'; readonly pattern: string; readonly description?: string }
  /** Such as `nova.flavor`, which a service is asked about. */
  | { readonly kind: 'custom'; readonly name: string; readonly description?: string };

export interface Translation {
  /** `network_id` is an older name of `network`. */
  readonly replacedBy?: string;
  /** The constraint by which a name becomes an id: `neutron.network`. */
  readonly resolves?: string;
}

export interface AttributeSchema {
  readonly description: string;
  readonly type?: PropertyType;
  readonly support?: SupportStatus;
  /** Whether it changes while its resource does not: outputs show it as it is now. */
  readonly isLive?: true;
}

export interface SupportStatus {
  readonly status: 'SUPPORTED' | 'DEPRECATED' | 'HIDDEN' | 'UNSUPPORTED';
  /** Of Heat, since which it is so: `2014.1`, `5.0.0`. */
  readonly version?: string;
  readonly message?: string;
}

export type PropertySchemas = Readonly<Record<string, PropertySchema>>;
export type AttributeSchemas = Readonly<Record<string, AttributeSchema>>;

export type Properties = Readonly<Record<string, Json>>;
