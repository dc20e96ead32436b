/** Declares the quotas of a service: for claims, for the API and for its document. */

export interface QuotaDefinition<Config> {
  /** `Memory of servers, in MiB.` */
  readonly about: string;
  /** The default limit, by the service's settings; -1 is unlimited. */
  readonly default: (config: Config) => number;
  /** How usage is counted; absent for limits of single requests (`metadata_items`). */
  readonly counted?: QuotaCount;
}

export interface QuotaCount {
  /** SQL: an aggregate over these rows: `sum(vcpus)`. */
  readonly as: string;
  /**
   * SQL: the rows of the project `$1`, as an index finds them: `servers WHERE project_id = $1`.
   * Equal texts are counted in one pass.
   */
  readonly in: string;
}

export type QuotaDefinitions<Name extends string, Config> = Readonly<
  Record<Name, QuotaDefinition<Config>>
>;

/** Units by the names of quotas. */
export type Units<Name extends string> = Readonly<Record<Name, number>>;

/** @returns the definitions, whose keys are the quotas' names in the matching API */
export function defineQuotas<Name extends string, Config>(
  definitions: QuotaDefinitions<Name, Config>,
): QuotaDefinitions<Name, Config> {
  return definitions;
}

/** The quotas' names, in the order of their definitions. */
export function namesOf<Name extends string>(definitions: QuotaDefinitions<Name, never>): Name[] {
  return Object.keys(definitions) as Name[];
}
