/** Converts names between the wire (snake_case) and rows (camelCase). */

/** `parent_region_id` is `parentRegionId`. */
export function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** `parentRegionId` is `parent_region_id`. */
export function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
