/**
 * The schema of a resource type's properties and attributes, by which values are checked and which
 * `GET /resource_types/{type}` shows.
 * Public source: Orchestration API reference, "Show resource type schema"; Heat, "Template guide".
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
  /** A change is refused. */
  readonly immutable?: true;
  readonly constraints?: readonly Constraint[];
  /** The keys of a map, or `'*'` for the items of a list. */
  readonly schema?: Readonly<Record<string, PropertySchema>>;
  /** For a map, JSON texts and lists are accepted too; for a list, texts separated by commas. */
  readonly converts?: true;
  /** Why this cloud does not support it: the reason that a request with it is refused with. */
  readonly notOffered?: string;
  readonly support?: SupportStatus;
  /** The property that this one is an older name of, or the lookup of its value. */
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
  /** Answered by a service, such as `nova.flavor`. */
  | { readonly kind: 'custom'; readonly name: string; readonly description?: string };

export interface Translation {
  /** `network_id` is an older name of `network`. */
  readonly replacedBy?: string;
  /** The constraint that resolves a name to an ID, such as `neutron.network`. */
  readonly resolves?: string;
}

export interface AttributeSchema {
  readonly description: string;
  readonly type?: PropertyType;
  readonly support?: SupportStatus;
  /** Can change while the resource does not, so outputs read it anew. */
  readonly isLive?: true;
}

export interface SupportStatus {
  readonly status: 'SUPPORTED' | 'DEPRECATED' | 'HIDDEN' | 'UNSUPPORTED';
  /** Heat's release, such as `2014.1` or `5.0.0`. */
  readonly version?: string;
  readonly message?: string;
}

export type PropertySchemas = Readonly<Record<string, PropertySchema>>;
export type AttributeSchemas = Readonly<Record<string, AttributeSchema>>;

export type Properties = Readonly<Record<string, Json>>;
