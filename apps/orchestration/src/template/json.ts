/** A value as JSON has it. Numbers of templates that no double holds are texts. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [key: string]: Json;
}
