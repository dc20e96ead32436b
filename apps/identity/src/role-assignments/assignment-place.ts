/** Whose roles and where, each with the kind of thing that its id is of. */

export interface AssignmentActor {
  readonly kind: 'user' | 'group';
  readonly id: string;
}

export type AssignmentTarget =
  { readonly kind: 'project' | 'domain'; readonly id: string } | { readonly kind: 'system' };

export interface AssignmentPlace {
  readonly actor: AssignmentActor;
  readonly target: AssignmentTarget;
  /** It holds not of the target but of the projects below it. */
  readonly inherited: boolean;
}

export interface Assignment extends AssignmentPlace {
  readonly roleId: string;
}

/** The id that a place has of this kind, null where it has none. */
export function idIn({ actor, target }: AssignmentPlace, kind: string): string | null {
  if (actor.kind === kind) return actor.id;
  return target.kind === kind && target.kind !== 'system' ? target.id : null;
}
