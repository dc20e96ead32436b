/** Contents of sealed columns. */
import type { Json, JsonObject } from '../json/json.js';
import type { Properties } from '../constraints/property-schema.js';

/** What a resource is made or changed with: its definition with all values known. */
export interface Frozen {
  /** By the type's schema. */
  readonly properties: Properties;
  /** Of the template; what the resource has by now may be another. */
  readonly metadata: Json;
  readonly updatePolicy: Json;
}

/** The data of an action besides the template. */
export interface ActionData {
  /** Nothing is to be left: the rollback of a creation. */
  readonly isEmpty?: boolean;
  /** The resources of a stack that is adopted, as `abandon` gave them. */
  readonly adopted?: Readonly<Record<string, AdoptedResource>>;
  /** Resources are looked at as if each had changed. */
  readonly isForced?: boolean;
  /** The snapshot that is taken, or brought back. */
  readonly snapshotId?: string;
}

export interface AdoptedResource {
  /** Null for one that had none. */
  readonly physicalId: string | null;
  readonly data: JsonObject;
  readonly metadata: Json | undefined;
  /** Of one that is made of a stack below. */
  readonly below?: AdoptedBelow;
}

export interface AdoptedBelow {
  /** That of the stack that was left; by default what the resource says. */
  readonly template: JsonObject | undefined;
  readonly resources: Readonly<Record<string, AdoptedResource>>;
}
