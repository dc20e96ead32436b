/** Contents of sealed columns. */
import type { Json, JsonObject } from '../json/json.js';
import type { Properties } from '../constraints/property-schema.js';

/** The evaluated definition that a resource is created or updated with. */
export interface Frozen {
  readonly properties: Properties;
  /** From the template; signals may have changed the resource's own. */
  readonly metadata: Json;
  readonly updatePolicy: Json;
}

/** The data of an action besides the template. */
export interface ActionData {
  /** The rollback of a creation: nothing is to remain. */
  readonly isEmpty?: boolean;
  /** The resources of an adopted stack, as `abandon` returned them. */
  readonly adopted?: Readonly<Record<string, AdoptedResource>>;
  /** Every resource is treated as changed. */
  readonly isForced?: boolean;
  readonly snapshotId?: string;
}

export interface AdoptedResource {
  readonly physicalId: string | null;
  readonly data: JsonObject;
  readonly metadata: Json | undefined;
  /** Of a resource with a nested stack. */
  readonly below?: AdoptedBelow;
}

export interface AdoptedBelow {
  /** The abandoned stack's template; by default the one that the resource generates. */
  readonly template: JsonObject | undefined;
  readonly resources: Readonly<Record<string, AdoptedResource>>;
}
